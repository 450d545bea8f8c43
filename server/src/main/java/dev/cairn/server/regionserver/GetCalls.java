package dev.cairn.server.regionserver;

import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.rpc.Attempt;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.QueryMetrics;

/** Answers {@code Get}, and the gets inside a {@code Multi}. Any number of threads. */
final class GetCalls {
  /** A row that is larger is for handlers: copying it takes as long as many others do. */
  private static final long QUICK_BYTES = 128 * 1024;

  /** After this time a row is left to the handlers; most take a hundredth of it. */
  private static final long QUICK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** The responses for rows of few cells that lie beside the message, by the number of cells. */
  private static final List<GetResponse> COUNTED =
      ResponseCells.COUNTED.stream().map(GetCalls::newResponse).toList();

  private final OnlineRegions regions;
  private final QueryDecoder decoder;
  private final CallLimits limits;

  GetCalls(OnlineRegions regions, QueryDecoder decoder, CallLimits limits) {
    this.regions = regions;
    this.decoder = decoder;
    this.limits = limits;
  }

  /** Answers one call. */
  GetResponse get(RpcCall call, GetMessage message) throws IOException {
    HostedRegion region = regions.find(message);
    call.memory().prepare(region.rowSize().expected());
    ResponseCells cells = ResponseCells.ofGet(call, region.rowSize().expected());
    ClientProtos.Result result = read(region, message, cells);
    region.rowSize().was(cells.byteSize());
    cells.send();
    return response(result);
  }

  /**
   * Answers a call on its network thread if the row is in memory and small; filters, whose cost
   * nobody knows, and metrics are for handlers.
   */
  @CompiledApart("does a get")
  Attempt<GetResponse> attempt(RpcCall call, GetMessage get) throws IOException {
    Optional<HostedRegion> region = regions.findNow(get);
    if (region.isEmpty() || get.hasFilter() || get.tracked() || get.closestBefore()) {
      return Attempt.declined();
    }
    ScanRequest row = decoder.get(get, region.get().schema());
    return attempt(call, region.get(), row, get.existenceOnly());
  }

  private Attempt<GetResponse> attempt(
      RpcCall call, HostedRegion region, ScanRequest row, boolean existenceOnly)
      throws IOException {
    ResponseCells cells = ResponseCells.ofGet(call, region.rowSize().expected());
    ReadBudget quick = ReadBudget.rowAtOnce(QUICK_BYTES, call.receivedNanos() + QUICK_NANOS);
    if (region.reads(0).row(row, cells.buffer(), quick) == ScanProgress.WOULD_WAIT
        || cells.bytesBefore(cells.mark()) > limits.maxRowBytes()) {
      return Attempt.declined();
    }
    region.reads(1);
    ClientProtos.Result result = stale(region, result(existenceOnly, cells, 0));
    region.rowSize().was(cells.byteSize());
    cells.send();
    return new Attempt.Answered<>(response(result));
  }

  private static GetResponse response(ClientProtos.Result result) {
    int cells = result.getAssociatedCellCount();
    boolean counted = cells < COUNTED.size() && ResponseCells.COUNTED.get(cells) == result;
    return counted ? COUNTED.get(cells) : newResponse(result);
  }

  private static GetResponse newResponse(ClientProtos.Result result) {
    return GetResponse.newBuilder().setResult(result).build();
  }

  private static ClientProtos.Result stale(HostedRegion region, ClientProtos.Result result) {
    return region.isReplica() ? result.toBuilder().setStale(true).build() : result;
  }

  /** Reads one row; what is wanted of it is only whether it exists, or its cells. */
  ClientProtos.Result read(HostedRegion region, GetMessage get, ResponseCells cells)
      throws IOException {
    int mark = cells.mark();
    Optional<QueryMetrics> metrics = Optional.empty();
    try {
      ScanRequest row = decoder.get(get, region.schema());
      if (get.tracked()) {
        metrics = Optional.of(readTracked(region, row, cells));
      } else {
        region.reads(1).row(row, cells.buffer(), ReadBudget.WHOLE_ROWS);
      }
      limits.checkRow(cells.bytesBefore(cells.mark()) - (long) cells.bytesBefore(mark));
    } catch (IOException | RuntimeException e) {
      cells.buffer().truncate(mark);
      throw e;
    }
    ClientProtos.Result result = result(get.existenceOnly(), cells, mark);
    return stale(
        region, metrics.isEmpty() ? result : result.toBuilder().setMetrics(metrics.get()).build());
  }

  private static ClientProtos.Result result(boolean existenceOnly, ResponseCells cells, int mark) {
    if (!existenceOnly) {
      return cells.since(mark);
    }
    boolean exists = cells.mark() > mark;
    cells.buffer().truncate(mark);
    return ClientProtos.Result.newBuilder().setExists(exists).build();
  }

  private static QueryMetrics readTracked(HostedRegion region, ScanRequest row, ResponseCells cells)
      throws IOException {
    ScanRequest tracked = row.toBuilder().observer(ScanObserver.METRICS).build();
    try (RegionRead read = region.reads(1).read(tracked, ReadBudget.WHOLE_ROWS)) {
      read.next(cells.buffer(), ReadBudget.WHOLE_ROWS);
      return QueryMetrics.newBuilder()
          .setBlockBytesScanned(read.statistics().reads().blockBytesLookedAt())
          .build();
    }
  }
}
