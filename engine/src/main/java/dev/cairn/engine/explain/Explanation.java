package dev.cairn.engine.explain;

import dev.cairn.engine.time.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * The explanation of a scan of one region, row by row in the scan's order. One thread at a time.
 */
public interface Explanation extends Closeable {
  /**
   * Returns the next row that is explained; empty if there are no more, or if the time was over
   * before: {@link #isEnded} tells which.
   *
   * @param deadlineNanos the {@link Clock#nanoTime} at which to stop; {@link Long#MAX_VALUE} for
   *     none
   */
  Optional<ExplainedRow> next(long deadlineNanos) throws IOException;

  /** Tells whether the scan has come to its end; rows may still be waiting to be taken. */
  boolean isEnded();

  /** Returns what was read so far. */
  ScanReport report();

  /** Releases the files and memory that the scan holds. Closing twice does nothing. */
  @Override
  void close();
}
