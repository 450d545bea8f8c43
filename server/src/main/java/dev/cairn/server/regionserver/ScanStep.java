package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.QueryMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * One call's walk through a scan: fills the response with results until the rows that were asked
 * for, the client's limit, the bytes, the time or the region's rows are used up. One thread, once.
 *
 * <p><b>Parts of rows.</b> When bytes or time run out within a row, the response ends with a part
 * of it, flagged as partial, if the client puts parts together. It does so until a result comes
 * that is not partial, or is of another row, and loses what it gathered if neither comes. But if
 * time ran out, or there is a filter, it is not known whether anything of the row follows: the rest
 * may be deleted or filtered. So the last cell is held back for the next response, where the row's
 * last result has at least that one.
 *
 * <p><b>Heartbeats.</b> When time runs out, a client that understands it gets the response as it
 * is, perhaps without any result, so that it knows that the server is at work.
 */
final class ScanStep {
  private static final long LEAST_TIME_MILLIS = 10;

  /** What a row takes of which nothing is known. */
  private static final int LIKELY_ROW_BYTES = 2048;

  private final CallTimes times;
  private final ScanRequest request;
  private final OpenScanner scanner;
  private final ResponseCells out;
  private final boolean midRow;
  private final long deadlineNanos;
  private int results;
  private long cellsInResults;
  private int completeRows;
  private long blockBytes;
  private boolean lastIsPartial;
  private boolean more = true;
  private boolean inRegion = true;
  private boolean go = true;

  // The row that is being read: where it begins in the response's cells, and in their bytes.
  private int mark;
  private int markBytes;

  /** Whether the step has paused, so that a part of the row may be among the cells already. */
  private boolean paused;

  private long pauseBytes = Long.MAX_VALUE;
  private long pauseNanos = Long.MAX_VALUE;

  ScanStep(
      CallTimes times, long leaseMillis, RpcCall call, ScanRequest request, OpenScanner scanner) {
    this.times = times;
    this.request = request;
    this.scanner = scanner;
    this.out = new ResponseCells(call, likelyBytes(scanner, request));
    this.midRow = request.getClientHandlesPartials() && !scanner.shape().small();
    this.deadlineNanos =
        midRow && request.getClientHandlesHeartbeats()
            ? times.clock().nanoTime() + timeNanos(times, leaseMillis, call)
            : Long.MAX_VALUE;
  }

  /**
   * Fills {@code response} with at most {@code rows} results; or goes on to do so where {@link
   * #isFilledQuickly} has paused.
   */
  void run(int rows, ScanResponse.Builder response) throws IOException {
    pauseBytes = Long.MAX_VALUE;
    pauseNanos = Long.MAX_VALUE;
    walk(rows, response);
    finish(response);
  }

  /**
   * As {@link #run}, but pauses, perhaps within a row, when so many bytes are read or that moment
   * has come.
   *
   * @return false if it has paused
   */
  boolean isFilledQuickly(int rows, ScanResponse.Builder response, long bytes, long untilNanos)
      throws IOException {
    pauseBytes = bytes;
    pauseNanos = untilNanos;
    walk(rows, response);
    if (!paused) {
      finish(response);
    }
    return !paused;
  }

  private void walk(int rows, ScanResponse.Builder response) throws IOException {
    while (go && results < rows) {
      if (!paused) {
        mark = out.mark();
        markBytes = out.buffer().byteSize();
        CellBuffer held = scanner.heldBack();
        out.buffer().addAll(held);
        held.clear();
      }
      paused = false;
      int carried = out.mark() - mark;
      ScanLimits limits = limits(carried, out.buffer().byteSize() - markBytes);
      ScanProgress progress = scanner.scanner().next(out.buffer(), limits);
      if (isPause(progress)) {
        paused = true;
        return;
      }
      switch (progress) {
        case ROW_DONE -> {
          rowDone(mark, response);
          if (results == 1 && scanner.lastBytes() == 0) {
            out.expect(rows - 1);
          }
          // A filter that has had enough here is asked anew in the next region, as in HBase.
          // Without
          // one the end is told by a response of its own: Apache's asynchronous client may forget
          // to go on if it comes with results, and the next region answers at once.
          inRegion = scanner.filter().isEmpty() || !scanner.scanner().isExhausted();
          go = inRegion && more && !isFull();
        }
        case BATCH_FULL -> {
          emit(mark, true, response);
          scanner.setRowOpen(true);
          go = !isFull();
        }
        case LIMIT_IN_ROW, TIME_IN_ROW -> {
          boolean goesOn = progress == ScanProgress.LIMIT_IN_ROW && scanner.filter().isEmpty();
          partOfRow(mark, goesOn, response);
          go = results == 0 && !isLate();
        }
        case LIMIT_BETWEEN_ROWS -> {
          holdBack(mark);
          heartbeat(response);
          go = false;
        }
        case END -> {
          if (carried > 0 || scanner.isRowOpen()) {
            rowDone(mark, response);
          }
          inRegion = false;
          go = false;
        }
      }
    }
  }

  /** Tells whether the engine has stopped for the limits of {@link #isFilledQuickly}. */
  private boolean isPause(ScanProgress progress) {
    return pauseNanos != Long.MAX_VALUE
        && (progress == ScanProgress.LIMIT_IN_ROW && !endsPartAtLimit()
            || progress == ScanProgress.TIME_IN_ROW
            || progress == ScanProgress.LIMIT_BETWEEN_ROWS);
  }

  /** Tells whether bytes that run out within a row end the response, and not just the pause's. */
  private boolean endsPartAtLimit() {
    return midRow && scanner.shape().maxResultBytes() <= pauseBytes;
  }

  private ScanLimits limits(int carried, int carriedBytes) {
    int batch = scanner.shape().batch();
    long used = size() + ScanLimits.size(carried, carriedBytes);
    long most = Math.min(scanner.shape().maxResultBytes(), pauseBytes);
    boolean quick = pauseNanos != Long.MAX_VALUE;
    return new ScanLimits(
        batch < 0 ? -1 : Math.max(1, batch - carried),
        Math.max(1, most - used),
        quick ? pauseNanos : deadlineNanos,
        midRow || quick);
  }

  private void rowDone(int mark, ScanResponse.Builder response) {
    boolean any = out.mark() > mark;
    if (any) {
      emit(mark, false, response);
    } else if (lastIsPartial) {
      // The batch before turned out to be the row's last.
      complete(response);
    }
    if (any || scanner.isRowOpen()) {
      completeRows++;
      scanner.setRowOpen(false);
    }
    int limit = request.getLimitOfRows();
    if (limit > 0 && completeRows >= limit) {
      more = false;
    }
  }

  private void partOfRow(int mark, boolean goesOn, ScanResponse.Builder response) {
    int cells = out.mark() - mark;
    if (goesOn || cells == scanner.shape().batch()) {
      // A full batch is complete in itself.
      emit(mark, true, response);
      scanner.setRowOpen(true);
      return;
    }
    if (cells > 0) {
      CellBuffer buffer = out.buffer();
      int last = buffer.size() - 1;
      scanner.heldBack().add(buffer.bytes(), buffer.offset(last), buffer.length(last));
      buffer.truncate(last);
    }
    if (cells > 1) {
      emit(mark, true, response);
      scanner.setRowOpen(true);
    }
    if (isLate()) {
      heartbeat(response);
    }
  }

  /** Takes back what the engine gave before it said that no row was found. */
  private void holdBack(int mark) {
    CellBuffer buffer = out.buffer();
    for (int i = mark; i < buffer.size(); i++) {
      scanner.heldBack().add(buffer.bytes(), buffer.offset(i), buffer.length(i));
    }
    buffer.truncate(mark);
  }

  private void emit(int mark, boolean partial, ScanResponse.Builder response) {
    int cells = out.mark() - mark;
    if (cells == 0) {
      return;
    }
    if (out.beside()) {
      out.account();
      response.addCellsPerResult(cells);
      response.addPartialFlagPerResult(partial);
    } else {
      ClientProtos.Result result = out.since(mark, partial);
      response.addResults(result);
    }
    // As in HBase, only the call that opens the scan tells it.
    if (request.getScan().getQueryMetricsEnabled()) {
      long bytes = scanner.scanner().statistics().reads().blockBytesLookedAt();
      response.addQueryMetrics(QueryMetrics.newBuilder().setBlockBytesScanned(bytes - blockBytes));
      blockBytes = bytes;
    }
    results++;
    cellsInResults += cells;
    lastIsPartial = partial;
  }

  private void complete(ScanResponse.Builder response) {
    if (out.beside()) {
      response.setPartialFlagPerResult(results - 1, false);
    } else {
      response.setResults(results - 1, response.getResults(results - 1).toBuilder().clearPartial());
    }
    lastIsPartial = false;
  }

  private void heartbeat(ScanResponse.Builder response) {
    response.setHeartbeatMessage(true);
    byte[] row = scanner.scanner().statistics().lastRow();
    if (scanner.shape().wantsCursor() && row.length > 0) {
      response.setCursor(
          ClientProtos.Cursor.newBuilder().setRow(UnsafeByteOperations.unsafeWrap(row)));
    }
  }

  private void finish(ScanResponse.Builder response) throws IOException {
    boolean filterDone =
        results == 0
            && !inRegion
            && scanner.filter().isPresent()
            && scanner.filter().get().filterAllRemaining();
    scanner.responded(out.buffer().byteSize());
    response.setMoreResultsInRegion(inRegion);
    response.setMoreResults(more && !filterDone);
    out.send();
  }

  private boolean isFull() {
    return size() >= scanner.shape().maxResultBytes() || isLate();
  }

  private long size() {
    return ScanLimits.size(cellsInResults, out.byteSize());
  }

  private boolean isLate() {
    return deadlineNanos != Long.MAX_VALUE && times.clock().nanoTime() - deadlineNanos >= 0;
  }

  private static int likelyBytes(OpenScanner scanner, ScanRequest request) {
    return scanner.lastBytes() > 0
        ? scanner.lastBytes()
        : (int) Math.min(Integer.MAX_VALUE, (long) LIKELY_ROW_BYTES * request.getNumberOfRows());
  }

  /** Half of what the client waits, so that the response is there in time. */
  private static long timeNanos(CallTimes times, long leaseMillis, RpcCall call) {
    long waits = Math.min(leaseMillis, times.waitMillis(call));
    return TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_TIME_MILLIS, waits / 2));
  }
}
