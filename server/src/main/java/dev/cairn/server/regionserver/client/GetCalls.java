package dev.cairn.server.regionserver.client;

import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.Operation;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.rpc.service.CallBudget;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.RpcCall;
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

  /** Stands for a row that was not read, by its identity. */
  private static final ClientProtos.Result NOT_READ =
      ClientProtos.Result.newBuilder().setStale(true).build();

  private final OnlineRegions regions;
  private final QueryDecoder decoder;
  private final CallLimits limits;

  GetCalls(OnlineRegions regions, QueryDecoder decoder, CallLimits limits) {
    this.regions = regions;
    this.decoder = decoder;
    this.limits = limits;
  }

  /**
   * Answers one call. The network thread answers it if the row is small and in memory; handlers
   * answer calls that ask for metrics or for the closest row before.
   */
  @CompiledApart("does a get")
  CallOutcome<GetResponse> get(RpcCall call, GetMessage get) throws IOException {
    CallBudget budget = call.budget();
    Optional<HostedRegion> found = regions.find(get, call);
    if (found.isEmpty() || !budget.mayWait() && (get.tracked() || get.closestBefore())) {
      return CallOutcome.declined();
    }
    HostedRegion region = found.get();
    region.times().time(call, Operation.GET);
    int expected = region.rowSize().expected();
    if (budget.mayWait()) {
      call.memory().prepare(expected);
    }
    ResponseCells cells = ResponseCells.ofGet(call, expected);
    ClientProtos.Result result = read(region, get, cells, rowBudget(call));
    if (result == NOT_READ) {
      return CallOutcome.unfinished();
    }
    if (get.closestBefore() && hasNoRow(result)) {
      return new CallOutcome.Answered<>(NO_ROW_BEFORE);
    }
    region.rowSize().was(cells.byteSize());
    cells.send();
    return new CallOutcome.Answered<>(response(result));
  }

  private static ReadBudget rowBudget(RpcCall call) {
    CallBudget budget = call.budget();
    return budget.mayWait()
        ? ReadBudget.WHOLE_ROWS
        : ReadBudget.rowAtOnce(budget.maxBytes(), call.receivedNanos() + budget.maxNanos());
  }

  private static boolean hasNoRow(ClientProtos.Result result) {
    return !result.hasExists() && result.getCellCount() + result.getAssociatedCellCount() == 0;
  }

  private static GetResponse response(ClientProtos.Result result) {
    int cells = result.getAssociatedCellCount();
    boolean counted = cells < COUNTED.size() && ResponseCells.COUNTED.get(cells) == result;
    return counted ? COUNTED.get(cells) : newResponse(result);
  }

  private static GetResponse newResponse(ClientProtos.Result result) {
    return GetResponse.newBuilder().setResult(result).build();
  }

  /** Reads one row of a batch. */
  ClientProtos.Result read(HostedRegion region, GetMessage get, ResponseCells cells)
      throws IOException {
    return read(region, get, cells, ReadBudget.WHOLE_ROWS);
  }

  /**
   * Reads one row, or whether it exists. Returns {@link #NOT_READ} if the budget does not suffice.
   */
  private ClientProtos.Result read(
      HostedRegion region, GetMessage get, ResponseCells cells, ReadBudget budget)
      throws IOException {
    int mark = cells.mark();
    ScanRequest row = decoder.get(get, region.schema());
    boolean counts = true;
    try {
      if (get.tracked()) {
        QueryMetrics metrics = readTracked(region, get, row, cells);
        return result(region, get, cells, mark).toBuilder().setMetrics(metrics).build();
      }
      if (region.reads(0).get(get, row, cells.buffer(), budget) == ScanProgress.WOULD_WAIT) {
        counts = false;
        return NOT_READ;
      }
      return result(region, get, cells, mark);
    } catch (IOException | RuntimeException e) {
      counts = budget.mayWait() || !(e instanceof MemoryShortageException); // a handler reads again
      cells.buffer().truncate(mark);
      throw e;
    } finally {
      region.reads(counts ? 1 : 0);
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

  private static QueryMetrics readTracked(
      HostedRegion region, GetMessage get, ScanRequest row, ResponseCells cells)
      throws IOException {
    ScanRequest tracked = row.toBuilder().observer(ScanObserver.METRICS).build();
    try (RegionRead read = region.reads(0).openGet(get, tracked, ReadBudget.WHOLE_ROWS)) {
      read.next(cells.buffer(), ReadBudget.WHOLE_ROWS);
      return QueryMetrics.newBuilder()
          .setBlockBytesScanned(read.statistics().reads().blockBytesLookedAt())
          .build();
    }
  }
}
