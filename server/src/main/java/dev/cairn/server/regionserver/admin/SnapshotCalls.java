package dev.cairn.server.regionserver.admin;

import dev.cairn.engine.region.RegionSnapshot;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.snapshot.SnapshotManifests;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotRegionParameter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;

/**
 * Tells the master which files belong to a region at one moment. A call changes nothing besides a
 * flush, so a late or repeated call does no harm. Any number of threads.
 */
public final class SnapshotCalls {
  private final OnlineRegions regions;

  public SnapshotCalls(OnlineRegions regions) {
    this.regions = regions;
  }

  /**
   * Returns the service.
   *
   * @param before interceptors of all methods, the first outermost
   */
  public RpcService service(List<CallInterceptor> before) {
    return RpcService.builder(MethodTables.SNAPSHOT, before)
        .failing(EngineErrors::forClient)
        .on(
            "SnapshotRegion",
            SnapshotRegionParameter.getDefaultInstance(),
            (call, request) ->
                CallSubject.region(Messages.regionInfo(request.getRegion()).regionName()),
            this::snapshot)
        .build();
  }

  SnapshotRegionManifest snapshot(RpcCall call, SnapshotRegionParameter request)
      throws IOException {
    HostedRegion region =
        regions.find(Messages.specifier(Messages.regionInfo(request.getRegion())));
    RegionSnapshot.Memory memory =
        request.getSnapshot().getType() == SnapshotDescription.Type.SKIPFLUSH
            ? RegionSnapshot.Memory.SKIP
            : RegionSnapshot.Memory.FLUSH;
    return SnapshotManifests.of(region.snapshot(memory));
  }
}
