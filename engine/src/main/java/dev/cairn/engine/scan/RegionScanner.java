package dev.cairn.engine.scan;

import dev.cairn.engine.cell.CellBuffer;
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
  ScanProgress next(CellBuffer out, ScanLimits limits) throws IOException;

  /** Tells whether it is already known that no row follows. */
  boolean isExhausted();

  /** Returns the highest sequence number that the scan sees. */
  long readPoint();

  /** Returns what was looked at so far. */
  ScanStatistics statistics();

  /** Releases the files and memory that the scan holds. Closing twice does nothing. */
  @Override
  void close();
}
