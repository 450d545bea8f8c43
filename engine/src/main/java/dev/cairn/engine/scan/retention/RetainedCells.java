package dev.cairn.engine.scan.retention;

import dev.cairn.engine.cell.Cell;
import java.io.Closeable;
import java.io.IOException;

/** The cells that a flush or a compaction writes, in order. For one thread. */
public interface RetainedCells extends Closeable {
  /** Goes to the next cell. Returns false if there is none. */
  boolean next() throws IOException;

  /** Returns the current cell, with its sequence; valid until the next call. */
  Cell cell();

  /** Releases the sources of the cells. Closing twice does nothing. */
  @Override
  void close();
}
