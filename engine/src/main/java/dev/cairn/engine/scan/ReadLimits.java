package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.time.Clock;

/**
 * How far one call of a scan may go: how many cells of a row, how many bytes and rows in all, and
 * until when. What was handed out is read off the caller's buffers, so only cells that are looked
 * at are counted here. Serves one call after another; not thread-safe.
 *
 * <p>The clock is read once in a while: seldom as long as cells go quickly, and at each one where
 * they don't, as with a filter that takes its time.
 */
final class ReadLimits {
  private static final int CELLS_BETWEEN_CHECKS_MAX = 64;
  private static final long QUICK_NANOS = 1_000_000;

  /** After how many cells that are copied at once the time is looked at. */
  private static final int CELLS_OF_RUN_MAX = 500;

  private final Clock clock;
  private final CellRun run = new CellRun();

  // What the call allows.
  private int cellsOfRowMax;
  private long bytesEnd;
  private int rowsEnd;
  private boolean midRow;

  /** Before which column runs end that cross rows. */
  private Cell end = CellRun.NO_END;

  private boolean crossesRows;

  // When the call ends.
  private long deadlineNanos = Long.MAX_VALUE;
  private long lastCheckNanos;
  private int betweenChecks = 1;
  private int untilCheck;
  private boolean free;
  private boolean late;
  private boolean lifted;

  ReadLimits(Clock clock) {
    this.clock = clock;
  }

  /**
   * A call begins.
   *
   * @param mayStopInRow whether it may stop within a row, if {@code limits} allows that
   * @param rows takes the sizes of rows, no more than {@code most}
   */
  void begin(ReadBudget limits, boolean mayStopInRow, CellBuffer out, RowSizes rows, int most) {
    run.begin(out, rows);
    cellsOfRowMax = limits.maxCells() > 0 ? limits.maxCells() : Integer.MAX_VALUE;
    bytesEnd = limits.maxBytes() < 0 ? Long.MAX_VALUE : run.byteSize() + limits.maxBytes();
    rowsEnd = rows.size() + Math.min(most, Integer.MAX_VALUE - rows.size());
    midRow = limits.mayStopInRow() && mayStopInRow;
    crossesRows = false;
    startTime(limits.deadlineNanos());
  }

  /**
   * The first cell of a call is free, so that every call gets on. A call with the deadline of the
   * one before it goes on with its pace: whoever takes row after row would else read the clock four
   * times for each row of ten cells, instead of once for six rows.
   */
  private void startTime(long deadline) {
    free = true;
    late = false;
    if (lifted || deadline != deadlineNanos) {
      lifted = false;
      deadlineNanos = deadline;
      lastCheckNanos = deadline == Long.MAX_VALUE ? 0 : clock.nanoTime();
      betweenChecks = 1;
      untilCheck = 1;
    }
  }

  /**
   * Lets runs cross rows in this call, unless it wants rows in parts.
   *
   * @param stop no cell of its column or of one behind that is copied, but for {@link
   *     CellRun#NO_END}
   */
  void letRunsCrossRows(Cell stop) {
    crossesRows = cellsOfRowMax == Integer.MAX_VALUE;
    end = stop;
  }

  /** The call ends. */
  void release() {
    run.release();
    end = CellRun.NO_END;
  }

  /** Forgets the pace of the calls before, as another scan begins. */
  void restart() {
    lifted = true;
  }

  /** Returns what is handed out in this call. */
  CellRun run() {
    return run;
  }

  /** Returns what cells are copied for that come next, as far as the limits allow. */
  CellRun nextRun() {
    boolean crosses = crossesRows && run.byteSize() < bytesEnd;
    run.limit(
        crosses ? end : CellRun.NO_END,
        crosses,
        Math.min(CELLS_OF_RUN_MAX, cellsOfRowMax - run.cellsOfRow()),
        crosses || midRow ? bytesEnd : Long.MAX_VALUE,
        rowsEnd);
    return run;
  }

  /** Tells whether the call may stop within a row, for bytes or time. */
  boolean mayStopInRow() {
    return midRow;
  }

  /** Tells whether the row has as many cells as the call may have of one. */
  boolean isBatchFull() {
    return run.cellsOfRow() >= cellsOfRowMax;
  }

  /** Tells whether the call is to stop within the row for its bytes. */
  boolean isFullInRow() {
    return midRow && run.byteSize() >= bytesEnd;
  }

  /** Tells whether the call is to stop between two rows; also if time was lifted to get there. */
  boolean isOver() {
    return late || run.byteSize() >= bytesEnd || run.rowSizes().size() >= rowsEnd;
  }

  /** Tells whether the call is to stop within a row for its time, if it may. */
  boolean isOutOfTime() {
    return late && !lifted;
  }

  /** Lifts the limit of time up to the end of the row. */
  void liftTime() {
    lifted = true;
  }

  /** Counts cells that were looked at, or copied without that. */
  void looked(int cells) {
    if (deadlineNanos == Long.MAX_VALUE || lifted) {
      return;
    }
    if (free) {
      free = false;
      return;
    }
    untilCheck -= cells;
    if (untilCheck <= 0) {
      checkTime();
    }
  }

  private void checkTime() {
    long now = clock.nanoTime();
    boolean quick = now - lastCheckNanos < QUICK_NANOS;
    betweenChecks = quick ? Math.min(2 * betweenChecks, CELLS_BETWEEN_CHECKS_MAX) : 1;
    lastCheckNanos = now;
    untilCheck = betweenChecks;
    late = now - deadlineNanos >= 0;
  }
}
