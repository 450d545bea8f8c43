package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;

/** Answers {@code Get}, and the gets inside a {@code Multi}. Any number of threads. */
final class GetCalls {
  private final OnlineRegions regions;
  private final QueryDecoder decoder;

  GetCalls(OnlineRegions regions, QueryDecoder decoder) {
    this.regions = regions;
    this.decoder = decoder;
  }

  /** Answers one call. */
  GetResponse get(RpcCall call, GetRequest request) throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    ResponseCells cells = new ResponseCells(call);
    ClientProtos.Result result = read(region, request.getGet(), cells);
    cells.send();
    return GetResponse.newBuilder().setResult(result).build();
  }

  private static ClientProtos.Result stale(HostedRegion region, ClientProtos.Result result) {
    return region.isReplica() ? result.toBuilder().setStale(true).build() : result;
  }

  /** Reads one row; what is wanted of it is only whether it exists, or its cells. */
  ClientProtos.Result read(HostedRegion region, ClientProtos.Get get, ResponseCells cells)
      throws IOException {
    int mark = cells.mark();
    try {
      region.reads(1).get(decoder.get(get, region.schema()), cells.buffer());
    } catch (IOException | RuntimeException e) {
      cells.buffer().truncate(mark);
      throw e;
    }
    if (get.getExistenceOnly()) {
      boolean exists = cells.mark() > mark;
      cells.buffer().truncate(mark);
      return stale(region, ClientProtos.Result.newBuilder().setExists(exists).build());
    }
    return stale(region, cells.since(mark));
  }
}
