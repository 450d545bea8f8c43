package dev.cairn.engine.scan;

import dev.cairn.engine.cursor.PlainCells;

/**
 * How far one call of {@link RegionScanner#next} may go.
 *
 * @param maxCells how many cells of a row at most (a batch); -1 for the whole row
 * @param maxBytes how many bytes of cells at most, as {@link #size} counts them, -1 for any number:
 *     the call stops behind the cell that reaches it, if {@code midRow} allows, else behind that
 *     row. 0 is for a caller that has cells of the row from the call before, and no room for more:
 *     the call tells whether there are any
 * @param deadlineNanos the {@link dev.cairn.engine.time.Clock#nanoTime} at which the call stops;
 *     {@link Long#MAX_VALUE} for none. Checked every few cells, also over cells that are not
 *     returned
 * @param midRow whether the call may stop for bytes or time within a row
 */
public record ScanLimits(int maxCells, long maxBytes, long deadlineNanos, boolean midRow) {
  /** Whole rows, however long it takes. */
  public static final ScanLimits NONE = new ScanLimits(-1, -1, Long.MAX_VALUE, false);

  /**
   * Returns what cells count against a limit of bytes.
   *
   * @param cells how many they are
   * @param bytes the sum of their lengths
   */
  public static long size(long cells, long bytes) {
    return bytes + cells * PlainCells.CELL_OVERHEAD;
  }
}
