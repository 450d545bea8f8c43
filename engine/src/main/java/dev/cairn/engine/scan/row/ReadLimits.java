package dev.cairn.engine.scan.row;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.time.Clock;

/**
 * Limits one call of a scan: the cells of a row, the bytes and rows in all, and the time. The
 * caller's buffers tell what the call has returned; only the cells that it looks at are counted
 * here. Serves one call after another; not thread-safe.
 *
 * <p>The clock is read every few cells: rarely while cells take little time, and at each cell if
 * they take long, as with a slow filter.
 */
final class ReadLimits {
  private static final int CELLS_BETWEEN_CHECKS_MAX = 64;
  private static final long QUICK_NANOS = 1_000_000;

  /** The most cells of a run; the time is checked after each run. */
  private static final int CELLS_OF_RUN_MAX = 500;

  private final Clock clock;
  private final CellRun run = new CellRun();

  // The limits of the call.
  private int cellsOfRowMax;
  private long bytesEnd;
  private int rowsEnd;
  private boolean midRow;

  /** The end of runs that cross rows. */
  private Cell end = CellRun.NO_END;

  private boolean crossesRows;

  // The deadline of the call.
  private long deadlineNanos = Long.MAX_VALUE;
  private long lastCheckNanos;
  private int betweenChecks = 1;
  private int untilCheck;
  private boolean late;
  private boolean lifted;

  ReadLimits(Clock clock) {
    this.clock = clock;
  }

  /**
   * Begins a call.
   *
   * @param mayStopInRow whether the scan allows a stop within a row; {@code limits} must allow it,
   *     too
   * @param rows receives the sizes of at most {@code most} rows
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
   * Starts the time of a call. The first cell of a call is free, so that every call makes progress.
   * A call with the deadline of the call before keeps its interval between checks. Otherwise a
   * caller that reads row by row would read the clock four times for each row of ten cells, instead
   * of once for six rows.
   */
  private void startTime(long deadline) {
    late = false;
    if (lifted || deadline != deadlineNanos) {
      lifted = false;
      deadlineNanos = deadline;
      lastCheckNanos = deadline == Long.MAX_VALUE ? 0 : clock.nanoTime();
      betweenChecks = 1;
      untilCheck = 1;
    }
    untilCheck++; // for the first cell
  }

  /**
   * Lets runs cross rows in this call, unless it wants rows in parts.
   *
   * @param stop runs copy no cell of its column or of a later one; {@link CellRun#NO_END} for no
   *     such limit
   */
  void letRunsCrossRows(Cell stop) {
    crossesRows = cellsOfRowMax == Integer.MAX_VALUE;
    end = stop;
  }

  /** Ends the call. */
  void release() {
    run.release();
    end = CellRun.NO_END;
  }

  /** Forgets the interval between checks, because another scan begins. */
  void restart() {
    lifted = true;
  }

  /** Returns the run of this call, whose target has the returned cells. */
  CellRun run() {
    return run;
  }

  /** Returns the run for the next cells, with the limits that are left. */
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

  /** Tells whether the row has reached the limit of cells. */
  boolean isBatchFull() {
    return run.cellsOfRow() >= cellsOfRowMax;
  }

  /** Tells whether the call must stop within the row for its bytes. */
  boolean isFullInRow() {
    return midRow && run.byteSize() >= bytesEnd;
  }

  /**
   * Tells whether the call must stop between two rows; includes a limit of time that was lifted.
   */
  boolean isOver() {
    return late || run.byteSize() >= bytesEnd || run.rowSizes().size() >= rowsEnd;
  }

  /** Tells whether the call must stop within a row for its time, if it may. */
  boolean isOutOfTime() {
    return late && !lifted;
  }

  /** Lifts the limit of time up to the end of the row. */
  void liftTime() {
    lifted = true;
  }

  /** Counts cells that the call has looked at or copied, and checks the time. */
  void looked(int cells) {
    if (deadlineNanos == Long.MAX_VALUE || lifted) {
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
