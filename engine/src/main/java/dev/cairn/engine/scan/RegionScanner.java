package dev.cairn.engine.scan;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import java.io.Closeable;
import java.io.IOException;

/** Returns the rows of one region that a {@link ScanRequest} asks for. One thread at a time. */
public interface RegionScanner extends Closeable {
  /**
   * Appends to {@code out} the cells of the next row, or of the next part of the current row.
   *
   * <p>A row of which nothing is left after filtering is passed over, within the same call, as far
   * as the limits allow.
   */
  ScanProgress next(CellBuffer out, ReadBudget limits) throws IOException;

  /**
   * Appends the cells of the next rows, as {@link #next} does when it is called once for each: up
   * to {@code rowsMax} rows, or the first of which not all is returned; or fewer, so that the
   * caller may look at how it stands. The limit of bytes is for all of them together, that of cells
   * for each.
   *
   * @param rows takes the number of cells of each row that is complete; those of one that is not
   *     lie behind them in {@code out}
   * @param rowsMax at least 1
   * @return what the last of the calls would; so where it is not {@link ScanProgress#ROW_DONE},
   *     complete rows may have come before
   */
  default ScanProgress nextRows(CellBuffer out, RowSizes rows, int rowsMax, ReadBudget limits)
      throws IOException {
    int before = out.size();
    ScanProgress progress = next(out, limits);
    if (progress == ScanProgress.ROW_DONE) {
      rows.add(out.size() - before);
    }
    return progress;
  }

  /**
   * Tells whether the region may have another row for this scan. Checks only the next cell, so the
   * row may still prove to be deleted or filtered out. Returns true within a row.
   */
  boolean hasMoreRows() throws IOException;

  /** Returns the highest sequence number that the scan sees. */
  long readPoint();

  /** Returns what was looked at so far. */
  ScanStatistics statistics();

  /**
   * Releases the blocks and the memory that an idle scan reads; the next call finds the place
   * again. Does nothing while a call runs. May be called by any thread at any time.
   */
  default void suspend() {}

  /** Releases the files and memory that the scan holds. Closing twice does nothing. */
  @Override
  void close();
}
