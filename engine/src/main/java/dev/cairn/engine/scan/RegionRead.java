package dev.cairn.engine.scan;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import java.io.Closeable;
import java.io.IOException;

/**
 * Returns the rows of one region that a {@link ScanRequest} asks for. One thread at a time.
 *
 * <p>A read whose budget may wait may stay idle between two calls, and each call may come from
 * another thread. Exceptions are reads that are not {@link #hold held}: those that must not wait,
 * and those of one whole row. They keep the region from closing, so their thread closes or holds
 * them before it does anything else.
 */
public interface RegionRead extends Closeable {
  /**
   * Appends to {@code out} the cells of the next row, or of the next part of the current row.
   *
   * <p>A row of which nothing is left after filtering is passed over, within the same call, as far
   * as the budget allows.
   *
   * <p>A call that must not wait, and would have to, answers {@link ScanProgress#WOULD_WAIT}. It
   * does so, too, if it may not stop within a row and the row is longer than the budget allows. The
   * read is over then, and {@code out} is as before.
   */
  ScanProgress next(CellBuffer out, ReadBudget budget) throws IOException;

  /**
   * Appends the cells of the next rows, as {@link #next} does when it is called once for each: up
   * to the budget's rows, or the first of which not all is returned; or fewer, so that the caller
   * may look at how it stands. The limit of bytes is for all of them together, that of cells for
   * each.
   *
   * @param rows takes the number of cells of each row that is complete; those of one that is not
   *     lie behind them in {@code out}
   * @return what the last of the calls would; so where it is not {@link ScanProgress#ROW_DONE},
   *     complete rows may have come before
   */
  default ScanProgress nextRows(CellBuffer out, RowSizes rows, ReadBudget budget)
      throws IOException {
    int before = out.size();
    ScanProgress progress = next(out, budget);
    if (progress == ScanProgress.ROW_DONE) {
      rows.add(out.size() - before);
    }
    return progress;
  }

  /**
   * Looks whether the region may have another row for this read. Checks only the next cell, so the
   * row may still prove to be deleted or filtered out.
   *
   * @return {@link ScanProgress#END} if there is none, {@link ScanProgress#ROW_DONE} if there may
   *     be one or a row is not complete, {@link ScanProgress#WOULD_WAIT} as in {@link #next}
   */
  ScanProgress peek(ReadBudget budget) throws IOException;

  /**
   * Lets the read stay open: it may be left alone, taken up by other threads, and wait. It stands
   * where it stood. Does nothing if that is so already.
   *
   * @return false if files that it needs may be gone, or if a call has answered {@link
   *     ScanProgress#WOULD_WAIT}; the caller closes the read then, and reads anew
   */
  default boolean hold() {
    return true;
  }

  /** Returns the highest sequence number that the read sees. */
  long readPoint();

  /** Returns what was looked at so far. */
  ScanStatistics statistics();

  /**
   * Releases the blocks and the memory that an idle read keeps; the next call finds the place
   * again. Does nothing while a call runs. May be called by any thread at any time.
   */
  default void suspend() {}

  /** Releases the files and memory that the read holds. Closing twice does nothing. */
  @Override
  void close();
}
