package dev.cairn.server.regionserver.admin;

import dev.cairn.server.regionserver.replica.ReplicaRefresh;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.CallSubject.RegionPart;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WALEntry;

/** Answers what servers of regions tell the servers of their replicas. Any number of threads. */
public final class ReplicaCalls {
  private final ReplicaRefresh refresh;

  public ReplicaCalls(ReplicaRefresh refresh) {
    this.refresh = refresh;
  }

  static CallSubject subject(RpcCall call, ReplicateWALEntryRequest request) {
    return new CallSubject.Regions(
        request.getEntryList().stream()
            .map(entry -> new RegionPart(entry.getKey().getEncodedRegionName(), true, List.of()))
            .toList());
  }

  /**
   * Takes over the present files of the regions of replicas. Refuses entries with cells, and
   * regions that are no replicas. If a replica is not here, or cannot be refreshed, fails after it
   * has done the others.
   */
  ReplicateWALEntryResponse replay(RpcCall call, ReplicateWALEntryRequest request)
      throws IOException {
    for (WALEntry entry : request.getEntryList()) {
      if (entry.getKeyValueBytesCount() > 0 || entry.getAssociatedCellCount() > 0) {
        throw new DoNotRetryIOException(
            "Cells cannot be replayed: replicas read the store files of their regions");
      }
    }
    refresh.refresh(
        request.getEntryList().stream()
            .map(entry -> entry.getKey().getEncodedRegionName().toStringUtf8())
            .toList());
    return ReplicateWALEntryResponse.getDefaultInstance();
  }
}
