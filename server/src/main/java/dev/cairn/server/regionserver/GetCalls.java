package dev.cairn.server.regionserver;

import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.QueryMetrics;

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
    Optional<QueryMetrics> metrics = Optional.empty();
    try {
      ScanRequest row = decoder.get(get, region.schema());
      if (get.getQueryMetricsEnabled() && region.info().contains(row.startRow())) {
        metrics = Optional.of(readTracked(region, row, cells));
      } else {
        region.reads(1).get(row, cells.buffer());
      }
    } catch (IOException | RuntimeException e) {
      cells.buffer().truncate(mark);
      throw e;
    }
    ClientProtos.Result result;
    if (get.getExistenceOnly()) {
      boolean exists = cells.mark() > mark;
      cells.buffer().truncate(mark);
      result = ClientProtos.Result.newBuilder().setExists(exists).build();
    } else {
      result = cells.since(mark);
    }
    return stale(
        region, metrics.isEmpty() ? result : result.toBuilder().setMetrics(metrics.get()).build());
  }

  private static QueryMetrics readTracked(HostedRegion region, ScanRequest row, ResponseCells cells)
      throws IOException {
    try (RegionScanner scanner = region.reads(1).scan(row.toBuilder().tracked(true).build())) {
      scanner.next(cells.buffer(), ScanLimits.NONE);
      return QueryMetrics.newBuilder()
          .setBlockBytesScanned(scanner.statistics().reads().blockBytesLookedAt())
          .build();
    }
  }
}
