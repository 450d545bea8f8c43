package dev.cairn.engine.scan;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import java.io.Closeable;
import java.io.IOException;

/**
 * Reads the rows of one region that a {@link ScanRequest} asks for. One thread at a time.
 *
 * <p>A {@link #hold held} read may stay idle between two calls, and each call may come from another
 * thread. Reads are held from the beginning, except two kinds: reads that must not wait, and reads
 * of one whole row. A read that is not held keeps the region from closing. So its thread closes or
 * holds it before it does anything else.
 */
public interface RegionRead extends Closeable {
  /**
   * Appends to {@code out} the cells of the next row, or of the next part of the current row.
   *
   * <p>If filtering removes all cells of a row, the call continues with the next row, within its
   * budget.
   *
   * <p>A call that would have to wait, but must not, returns {@link ScanProgress#WOULD_WAIT}. So
   * does a call that may not stop within a row if the row is longer than the budget allows. Then
   * the read is over, and {@code out} is unchanged.
   */
  ScanProgress next(CellBuffer out, ReadBudget budget) throws IOException;

  /**
   * Appends the cells of the next rows, like repeated calls of {@link #next}. It stops after the
   * budget's rows, or at the first row that is not complete. It may return fewer rows. The limit of
   * bytes applies to all rows together, the limit of cells to each row.
   *
   * @param rows receives the number of cells of each complete row; the cells of an incomplete row
   *     come last in {@code out}
   * @return the progress of the last of these calls; if it is not {@link ScanProgress#ROW_DONE},
   *     complete rows may precede it
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
   * Checks whether the region may have another row for this read. Looks at the next cell only, so
   * the row may still be deleted or filtered out.
   *
   * @return {@link ScanProgress#END} if there is none, {@link ScanProgress#ROW_DONE} if there may
   *     be one or a row is not complete, {@link ScanProgress#WOULD_WAIT} as in {@link #next}
   */
  ScanProgress peek(ReadBudget budget) throws IOException;

  /**
   * Holds the read: it may now stay idle, wait, and be used by other threads. It keeps its
   * position. Does nothing if the read is held.
   *
   * @return false if files that the read needs may be closed, or if a call has returned {@link
   *     ScanProgress#WOULD_WAIT}; then the caller closes the read and begins a new one
   */
  default boolean hold() {
    return true;
  }

  /** Returns the highest sequence number that the read sees. */
  long readPoint();

  /** Returns counts of the cells that the read has looked at so far. */
  ScanStatistics statistics();

  /**
   * Releases the blocks and the memory that an idle read keeps. The next call finds its position
   * again. Does nothing while a call runs. May be called by any thread at any time.
   */
  default void suspend() {}

  /**
   * Makes a running call end before its next row, and it and all later calls fail with a {@link
   * ReadStoppedException}. May be called by any thread at any time; does not wait for the call. A
   * read that is not held, and so does little work, may ignore it.
   */
  default void stop() {}

  /** Releases the files and memory that the read holds. Closing twice does nothing. */
  @Override
  void close();

  /** A read was {@linkplain RegionRead#stop stopped}, and returns no more rows. */
  final class ReadStoppedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public ReadStoppedException() {
      super("The read was stopped");
    }
  }
}
