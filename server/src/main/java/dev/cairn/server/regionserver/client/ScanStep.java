package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.server.regionserver.hosted.HookedScan;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.service.CallMemory;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Result;

/**
 * Does one call of a scan: fills the response with results up to the requested rows, the client's
 * limit, the bytes, the time or the end of the region. One thread, once.
 *
 * <p><b>Parts of rows.</b> When bytes or time run out within a row, and the client assembles parts,
 * the response ends with a part of the row, flagged as partial. The client assembles parts until a
 * result comes that is not partial, or is of another row, and loses the parts if neither comes. But
 * after a timeout, or with a filter, the rest of the row may be empty: it may be deleted or
 * filtered. So the last cell is held back for the next response, where the row's last result has at
 * least that one.
 *
 * <p><b>Heartbeats.</b> When time runs out, a client that understands it gets the response as it
 * is, perhaps without any result, so that it knows that the server is at work.
 *
 * <p><b>The region's end.</b> As in HBase, a response with all requested rows tells whether the
 * region has more, so that the client need not call again. A response that reaches its byte limit
 * leaves this to the next response: Apache's asynchronous client suspends such a scan, and may lose
 * its place if it resumes in another region that responds at once.
 */
final class ScanStep {
  private static final long LEAST_TIME_MILLIS = 10;

  /** The assumed size of a row of unknown size. */
  private static final int LIKELY_ROW_BYTES = 2048;

  private final CallTimes times;
  private final ScanMessage message;
  private final OpenScanner scanner;
  private final CallLimits limits;
  private final CallMemory memory;
  private final ResponseCells out;
  private final RowSizes rowSizes = new RowSizes();
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

  /** True if the step has paused, so that a part of the row may be among the cells already. */
  private boolean paused;

  // The limits of the response: whether it may end within a row, its deadline, and its bytes of
  // cells, for which memory is borrowed.
  private final boolean midRow;
  private final long deadlineNanos;
  private long resultBytes;

  /** The limits of the present turn. */
  private ReadBudget turn = ReadBudget.WHOLE_ROWS;

  ScanStep(
      CallTimes times,
      long leaseMillis,
      CallLimits limits,
      RpcCall call,
      ScanMessage message,
      OpenScanner scanner) {
    this.times = times;
    this.message = message;
    this.scanner = scanner;
    this.limits = limits;
    this.memory = call.memory();
    this.resultBytes = scanner.shape().maxResultBytes();
    this.out = new ResponseCells(call, likelyBytes(scanner, message));
    this.midRow = message.takesParts() && !scanner.shape().small();
    this.deadlineNanos =
        midRow && message.takesHeartbeats()
            ? times.clock().nanoTime() + timeNanos(times, leaseMillis, call)
            : Long.MAX_VALUE;
  }

  /** Returns the cells of the response that lie beside its message. */
  CellBuffer cells() {
    return out.buffer();
  }

  /** The end of a turn. */
  enum Outcome {
    /** The response is full. */
    FILLED,
    /**
     * The turn's bytes or time are used up, perhaps within a row; the next turn continues there.
     */
    PAUSED,
    /** The place in the scan is lost; the call must begin anew. */
    WOULD_WAIT
  }

  /**
   * Fills {@code response} with at most the requested number of results, from the beginning or from
   * a pause.
   *
   * @param next the limits of this turn; the step pauses at them unless the response is full
   */
  Outcome fill(ScanAnswer response, ReadBudget next) throws IOException {
    turn = next;
    if (turn.mayWait()) {
      memory.prepare(scanner.region().rowSize().expected());
      resultBytes = memory.borrowForCells(scanner.shape().maxResultBytes());
    }
    Outcome outcome =
        scanner.hooks().isPresent() && scanner.hooks().get().hooksCalls()
            ? walkBetweenHooks(scanner.hooks().get(), response)
            : walk(message.rows(), response);
    paused = outcome == Outcome.PAUSED;
    if (outcome == Outcome.FILLED) {
      finish(response);
    }
    return outcome;
  }

  /** Reads between the hooks of the call; the turn is not to pause. */
  private Outcome walkBetweenHooks(HookedScan hooks, ScanAnswer response) throws IOException {
    HookedResults hooked = new HookedResults(out, response);
    List<Result> given = new ArrayList<>();
    boolean done = hooks.beforeRows(given, message.rows());
    given.forEach(hooked::add);
    results = given.size();
    if (done) {
      inRegion = results > 0;
      return Outcome.FILLED;
    }
    Outcome outcome = walk(message.rows(), response);
    if (outcome == Outcome.FILLED) {
      memory.borrowForMessage(hooked.bytes());
      List<Result> all = hooked.take();
      hooks.afterRows(all, message.rows());
      all.forEach(hooked::add);
      results = all.size();
    }
    return outcome;
  }

  private Outcome walk(int rows, ScanAnswer response) throws IOException {
    while (go && results < rows) {
      if (!paused) {
        beginRow();
        if (isPauseBetweenRows()) {
          return Outcome.PAUSED;
        }
      }
      int carried = out.mark() - mark;
      // The pause may have come when the bytes were used up, before it was known what follows.
      long leastBytes = paused && carried > 0 ? 0 : 1;
      paused = false;
      ReadBudget bounds = bounds(rows, carried, out.buffer().byteSize() - markBytes, leastBytes);
      rowSizes.clear();
      ScanProgress progress = scanner.scanner().nextRows(out.buffer(), rowSizes, bounds);
      if (rowSizes.size() > 0) {
        rowsDone(carried, response);
        carried = 0;
      }
      if (isPause(progress)) {
        return Outcome.PAUSED;
      }
      switch (progress) {
        case ROW_DONE -> {
          if (results == 1 && scanner.lastBytes() == 0) {
            out.expect(rows - 1);
          }
          go = more && !isFull();
          inRegion = !scanner.isFilterDone();
          if (inRegion && go && results >= rows) {
            ScanProgress next = scanner.scanner().peek(bounds);
            if (next == ScanProgress.WOULD_WAIT) {
              return Outcome.WOULD_WAIT;
            }
            inRegion = next != ScanProgress.END;
          }
          go = go && inRegion;
        }
        case BATCH_FULL -> {
          emit(mark, out.mark(), true, response);
          scanner.setRowOpen(true);
          go = !isFull();
        }
        case LIMIT_IN_ROW, TIME_IN_ROW -> {
          boolean goesOn = progress == ScanProgress.LIMIT_IN_ROW && !scanner.mayDropCells();
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
            rowDone(out.mark(), response);
          }
          inRegion = false;
          go = false;
        }
        case WOULD_WAIT -> {
          return Outcome.WOULD_WAIT;
        }
      }
    }
    return Outcome.FILLED;
  }

  private void beginRow() {
    mark = out.mark();
    markBytes = out.buffer().byteSize();
    CellBuffer held = scanner.heldBack();
    out.buffer().addAll(held);
    held.clear();
  }

  /**
   * Tells whether to pause before the next row. The engine does not decide it: it gives a row to
   * each call, however little is left, and does not count the time of the first cell of a call and
   * of the cells that it takes at once.
   */
  private boolean isPauseBetweenRows() {
    return results > 0
        && (size() >= turn.maxBytes()
            || pausesForTime() && times.clock().nanoTime() - turn.deadlineNanos() >= 0);
  }

  /** Tells whether the engine has stopped at a limit of the turn, not of the response. */
  private boolean isPause(ScanProgress progress) {
    return switch (progress) {
      case LIMIT_IN_ROW -> !midRow || turn.maxBytes() < resultBytes;
      case TIME_IN_ROW, LIMIT_BETWEEN_ROWS -> pausesForTime();
      default -> false;
    };
  }

  /** Tells whether the turn has its own deadline, long before the client's. */
  private boolean pausesForTime() {
    return turn.deadlineNanos() != Long.MAX_VALUE;
  }

  private ReadBudget bounds(int rows, int carried, int carriedBytes, long leastBytes) {
    int batch = scanner.shape().batch();
    long used = size() + ReadBudget.size(carried, carriedBytes);
    return new ReadBudget(
        rowsAtOnce(rows),
        batch < 0 ? -1 : Math.max(1, batch - carried),
        Math.max(leastBytes, Math.min(resultBytes, turn.maxBytes()) - used),
        pausesForTime() ? turn.deadlineNanos() : deadlineNanos,
        midRow || !turn.mayWait(),
        turn.waiting());
  }

  /**
   * Returns how many rows the engine may return at once; one if the step has work after each row.
   */
  private int rowsAtOnce(int rows) {
    if (!out.beside()
        || scanner.shape().batch() >= 0
        || message.trackedByResult()
        || results == 0 && scanner.lastBytes() == 0) {
      return 1;
    }
    int limit = message.limitOfRows();
    return limit > 0 ? Math.min(rows - results, limit - completeRows) : rows - results;
  }

  /** Makes results of the complete rows; the cells after them are a part of the next row. */
  private void rowsDone(int carried, ScanAnswer response) throws IOException {
    int end = mark + carried;
    for (int row = 0; row < rowSizes.size(); row++) {
      end += rowSizes.cells(row);
      rowDone(end, response);
      mark = end;
    }
    markBytes = out.bytesBefore(end);
  }

  /** Makes a result of the cells from the mark to {@code end}, and completes their row. */
  private void rowDone(int end, ScanAnswer response) throws IOException {
    boolean any = end > mark;
    scanner.region().rowSize().scanned(out.bytesBefore(end) - out.bytesBefore(mark));
    if (any && !midRow) {
      limits.checkRow(out.bytesBefore(end) - (long) out.bytesBefore(mark));
    }
    if (any) {
      emit(mark, end, false, response);
    } else if (lastIsPartial) {
      // The batch before turned out to be the row's last.
      response.completeLast();
      lastIsPartial = false;
    }
    if (any || scanner.isRowOpen()) {
      completeRows++;
      scanner.setRowOpen(false);
    }
    int limit = message.limitOfRows();
    if (limit > 0 && completeRows >= limit) {
      more = false;
    }
  }

  private void partOfRow(int mark, boolean goesOn, ScanAnswer response) {
    int cells = out.mark() - mark;
    if (goesOn || cells == scanner.shape().batch()) {
      // A full batch is complete in itself.
      emit(mark, out.mark(), true, response);
      scanner.setRowOpen(true);
      return;
    }
    if (cells > 0) {
      holdBack(out.buffer().size() - 1);
    }
    if (cells > 1) {
      emit(mark, out.mark(), true, response);
      scanner.setRowOpen(true);
    }
    if (isLate()) {
      heartbeat(response);
    }
  }

  /** Removes the cells from index {@code mark}, and keeps them for the next response. */
  private void holdBack(int mark) {
    CellBuffer buffer = out.buffer();
    scanner.heldBack().addAll(buffer, mark, buffer.size());
    buffer.truncate(mark);
  }

  private void emit(int mark, int end, boolean partial, ScanAnswer response) {
    int cells = end - mark;
    if (cells == 0) {
      return;
    }
    if (out.beside()) {
      out.account(end);
      response.add(cells, partial);
    } else {
      response.add(out.since(mark, partial));
    }
    // As in HBase, only the call that opens the scan tells it.
    if (message.trackedByResult()) {
      long bytes = scanner.scanner().statistics().reads().blockBytesLookedAt();
      response.addFigures(bytes - blockBytes);
      blockBytes = bytes;
    }
    results++;
    cellsInResults += cells;
    lastIsPartial = partial;
  }

  private void heartbeat(ScanAnswer response) {
    response.heartbeat();
    byte[] row = scanner.scanner().statistics().lastRow();
    if (scanner.shape().wantsCursor() && row.length > 0) {
      response.cursor(row);
    }
  }

  private void finish(ScanAnswer response) throws IOException {
    boolean filterDone = results == 0 && scanner.isFilterDoneAtEnd(inRegion);
    scanner.responded(out.buffer().byteSize());
    response.more(inRegion, more && !filterDone);
    out.send();
  }

  private boolean isFull() {
    return size() >= resultBytes || isLate();
  }

  private long size() {
    return ReadBudget.size(cellsInResults, out.byteSize());
  }

  private boolean isLate() {
    return !pausesForTime()
        && deadlineNanos != Long.MAX_VALUE
        && times.clock().nanoTime() - deadlineNanos >= 0;
  }

  private static int likelyBytes(OpenScanner scanner, ScanMessage message) {
    return scanner.lastBytes() > 0
        ? scanner.lastBytes()
        : (int) Math.min(Integer.MAX_VALUE, (long) LIKELY_ROW_BYTES * message.rows());
  }

  /** Half of what the client waits, so that the response is there in time. */
  static long timeNanos(CallTimes times, long leaseMillis, RpcCall call) {
    long waits = Math.min(leaseMillis, times.waitMillis(call));
    return TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_TIME_MILLIS, waits / 2));
  }
}
