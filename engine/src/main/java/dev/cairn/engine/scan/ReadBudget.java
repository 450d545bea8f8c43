package dev.cairn.engine.scan;

import dev.cairn.engine.cursor.CellRun;

/**
 * Limits one call of a read: its rows, cells, bytes and time, and the kinds of waits.
 *
 * @param maxRows the most rows; at least 1
 * @param maxCells the most cells of a row (a batch); -1 for the whole row
 * @param maxBytes the most bytes of cells, as {@link #size} counts them; -1 for any number. If
 *     {@code midRow}, the call stops after the cell that reaches the limit, else after that row.
 *     With 0 the call returns no cell and tells whether the row has more; the caller then has cells
 *     of the row from the call before
 * @param deadlineNanos the {@link dev.cairn.engine.time.Clock#nanoTime} at which the call stops;
 *     {@link Long#MAX_VALUE} for none. The call checks it every few cells, including cells that it
 *     does not return
 * @param midRow whether the call may stop for bytes or time within a row
 * @param waiting whether the call may wait
 */
public record ReadBudget(
    int maxRows, int maxCells, long maxBytes, long deadlineNanos, boolean midRow, Waiting waiting) {
  /** Allows whole rows, any number of them, without a deadline. */
  public static final ReadBudget WHOLE_ROWS = new ReadBudget(-1, -1, Long.MAX_VALUE, false);

  /** Whether a call may wait. */
  public enum Waiting {
    /**
     * Waits neither for files nor for locks that other threads hold for long. For network threads.
     */
    NEVER,
    /** Blocks that are read from files. */
    FOR_DISK
  }

  /** Creates the budget of a call that may wait for the disk and return any number of rows. */
  public ReadBudget(int maxCells, long maxBytes, long deadlineNanos, boolean midRow) {
    this(Integer.MAX_VALUE, maxCells, maxBytes, deadlineNanos, midRow, Waiting.FOR_DISK);
  }

  /**
   * Returns the budget of a call that must not wait, and that returns a whole row or nothing.
   *
   * @param maxBytes the most bytes of the row; -1 for any length
   * @param deadlineNanos the {@link dev.cairn.engine.time.Clock#nanoTime} at which the call gives
   *     up
   */
  public static ReadBudget rowAtOnce(long maxBytes, long deadlineNanos) {
    return new ReadBudget(1, -1, maxBytes, deadlineNanos, false, Waiting.NEVER);
  }

  /** Tells whether the call may wait for files. */
  public boolean mayWait() {
    return waiting == Waiting.FOR_DISK;
  }

  /** Tells whether the call returns one whole row without limits. */
  public boolean isForWholeRow() {
    return maxCells <= 0 && deadlineNanos == Long.MAX_VALUE && !mayStopInRow();
  }

  /**
   * Tells whether the call may stop within a row. A call that must not wait always may: its caller
   * uses the part of the row, or leaves the row to another thread.
   */
  public boolean mayStopInRow() {
    return midRow || waiting == Waiting.NEVER;
  }

  /**
   * Returns the bytes that cells count against a limit.
   *
   * @param cells the number of cells
   * @param bytes the sum of the cells' lengths
   */
  public static long size(long cells, long bytes) {
    return bytes + cells * CellRun.CELL_OVERHEAD;
  }
}
