package dev.cairn.server.regionserver;

import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.rpc.CallOutcome;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.QueryMetrics;

/** Answers {@code Get}, and the gets inside a {@code Multi}. Any number of threads. */
final class GetCalls {
  /** The responses for rows of few cells that lie beside the message, by the number of cells. */
  private static final List<GetResponse> COUNTED =
      ResponseCells.COUNTED.stream().map(GetCalls::newResponse).toList();

  /**
   * The response if no row is at or before the wanted one. It has no result: clients before 1.0
   * take an empty one for a damaged row of hbase:meta, and look up a missing table again and again.
   */
  private static final GetResponse NO_ROW_BEFORE = GetResponse.getDefaultInstance();

  private final OnlineRegions regions;
  private final QueryDecoder decoder;
  private final CallLimits limits;

  GetCalls(OnlineRegions regions, QueryDecoder decoder, CallLimits limits) {
    this.regions = regions;
    this.decoder = decoder;
    this.limits = limits;
  }

  /** Answers one call. */
  CallOutcome<GetResponse> get(RpcCall call, GetMessage get) throws IOException {
    if (!call.budget().mayWait()) {
      return getNow(call, get);
    }
    HostedRegion region = regions.find(get);
    region.times().time(call, Operation.GET);
    call.memory().prepare(region.rowSize().expected());
    ResponseCells cells = ResponseCells.ofGet(call, region.rowSize().expected());
    ClientProtos.Result result = read(region, get, cells);
    return get.closestBefore() && hasNoRow(result)
        ? new CallOutcome.Answered<>(NO_ROW_BEFORE)
        : answered(region, result, cells);
  }

  private static boolean hasNoRow(ClientProtos.Result result) {
    return !result.hasExists() && result.getCellCount() + result.getAssociatedCellCount() == 0;
  }

  /**
   * Answers a call if the row is small and in memory. Handlers answer calls that ask for metrics or
   * for the closest row before.
   */
  @CompiledApart("does a get")
  private CallOutcome<GetResponse> getNow(RpcCall call, GetMessage get) throws IOException {
    Optional<HostedRegion> now = regions.findNow(get);
    if (now.isEmpty() || get.tracked() || get.closestBefore()) {
      return CallOutcome.declined();
    }
    HostedRegion region = now.get();
    ScanRequest row = decoder.get(get, region.schema());
    ResponseCells cells = ResponseCells.ofGet(call, region.rowSize().expected());
    long deadlineNanos = call.receivedNanos() + call.budget().maxNanos();
    ReadBudget atOnce = ReadBudget.rowAtOnce(call.budget().maxBytes(), deadlineNanos);
    if (region.reads(0).row(row, cells.buffer(), atOnce) == ScanProgress.WOULD_WAIT) {
      return CallOutcome.unfinished();
    }
    region.reads(1);
    region.times().time(call, Operation.GET);
    return answered(region, result(region, get, cells, 0), cells);
  }

  private static CallOutcome<GetResponse> answered(
      HostedRegion region, ClientProtos.Result result, ResponseCells cells) {
    region.rowSize().was(cells.byteSize());
    cells.send();
    return new CallOutcome.Answered<>(response(result));
  }

  private static GetResponse response(ClientProtos.Result result) {
    int cells = result.getAssociatedCellCount();
    boolean counted = cells < COUNTED.size() && ResponseCells.COUNTED.get(cells) == result;
    return counted ? COUNTED.get(cells) : newResponse(result);
  }

  private static GetResponse newResponse(ClientProtos.Result result) {
    return GetResponse.newBuilder().setResult(result).build();
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
      ClientProtos.Result result = result(region, get, cells, mark);
      return metrics.isEmpty() ? result : result.toBuilder().setMetrics(metrics.get()).build();
    } catch (IOException | RuntimeException e) {
      cells.buffer().truncate(mark);
      throw e;
    }
  }

  private ClientProtos.Result result(
      HostedRegion region, GetMessage get, ResponseCells cells, int mark)
      throws RowTooBigException {
    limits.checkRow(cells.bytesBefore(cells.mark()) - (long) cells.bytesBefore(mark));
    ClientProtos.Result result;
    if (get.existenceOnly()) {
      boolean exists = cells.mark() > mark;
      cells.buffer().truncate(mark);
      result = ClientProtos.Result.newBuilder().setExists(exists).build();
    } else {
      result = cells.since(mark);
    }
    return region.isReplica() ? result.toBuilder().setStale(true).build() : result;
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
