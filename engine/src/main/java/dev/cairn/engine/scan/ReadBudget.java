package dev.cairn.engine.scan;

import dev.cairn.engine.cursor.CellRun;

/**
 * What one call of a read may cost: how far it goes at most, and whether it may wait.
 *
 * @param maxRows how many rows at most, at least 1
 * @param maxCells how many cells of a row at most (a batch); -1 for the whole row
 * @param maxBytes how many bytes of cells at most, as {@link #size} counts them, -1 for any number:
 *     the call stops behind the cell that reaches it, if {@code midRow} allows, else behind that
 *     row. 0 is for a caller that has cells of the row from the call before, and no room for more:
 *     the call tells whether there are any
 * @param deadlineNanos the {@link dev.cairn.engine.time.Clock#nanoTime} at which the call stops;
 *     {@link Long#MAX_VALUE} for none. Checked every few cells, also over cells that are not
 *     returned
 * @param midRow whether the call may stop for bytes or time within a row
 * @param waiting what the call may wait for
 */
public record ReadBudget(
    int maxRows, int maxCells, long maxBytes, long deadlineNanos, boolean midRow, Waiting waiting) {
  /** Whole rows, however many there are and however long it takes. */
  public static final ReadBudget WHOLE_ROWS = new ReadBudget(-1, -1, Long.MAX_VALUE, false);

  /** What a call may wait for. */
  public enum Waiting {
    /** Nothing: neither files nor locks that others hold for long. For threads that must go on. */
    NEVER,
    /** Blocks that are read from files. */
    FOR_DISK
  }

  /** Creates the budget of a call that may wait for the disk and return any number of rows. */
  public ReadBudget(int maxCells, long maxBytes, long deadlineNanos, boolean midRow) {
    this(Integer.MAX_VALUE, maxCells, maxBytes, deadlineNanos, midRow, Waiting.FOR_DISK);
  }

  /**
   * Returns the budget of a call that must not wait and wants a row as a whole, or else nothing.
   *
   * @param maxBytes how long the row is at most, -1 for any length
   * @param deadlineNanos when to give up
   */
  public static ReadBudget rowAtOnce(long maxBytes, long deadlineNanos) {
    return new ReadBudget(1, -1, maxBytes, deadlineNanos, false, Waiting.NEVER);
  }

  /** Tells whether the call may wait for files. */
  public boolean mayWait() {
    return waiting == Waiting.FOR_DISK;
  }

  /** Tells whether the call returns a row as a whole, whatever it takes. */
  public boolean isForWholeRow() {
    return maxCells <= 0 && deadlineNanos == Long.MAX_VALUE && !mayStopInRow();
  }

  /**
   * Tells whether the call may stop within a row. Whoever must not wait always may: it then takes
   * the part of a row for an answer, or leaves the row to others.
   */
  public boolean mayStopInRow() {
    return midRow || waiting == Waiting.NEVER;
  }

  /**
   * Returns what cells count against a limit of bytes.
   *
   * @param cells how many they are
   * @param bytes the sum of their lengths
   */
  public static long size(long cells, long bytes) {
    return bytes + cells * CellRun.CELL_OVERHEAD;
  }
}
