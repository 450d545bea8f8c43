package dev.cairn.engine.scan.row;

import java.io.IOException;

/** Receives a call from a {@link RowScanner} after each row, before the next row begins. */
@FunctionalInterface
public interface RowEndListener {
  /** Does nothing. */
  RowEndListener NONE = () -> {};

  /**
   * Called between two rows. May {@linkplain RowScanner#detach detach} the scan and attach it
   * again.
   */
  void reached() throws IOException;
}
