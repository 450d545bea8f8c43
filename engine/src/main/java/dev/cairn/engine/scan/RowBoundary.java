package dev.cairn.engine.scan;

import java.io.IOException;

/**
 * Is told by a {@link RowScanner}, within a call, that one row has ended and no other has begun.
 */
@FunctionalInterface
public interface RowBoundary {
  /** Does nothing. */
  RowBoundary NONE = () -> {};

  /** May {@linkplain RowScanner#detach detach} the scan and attach it again. */
  void reached() throws IOException;
}
