package dev.cairn.engine.store.index;

import java.io.IOException;

/** Holds up, and ends, the writing of an index, which may take as long as that of the cells. */
@FunctionalInterface
public interface IndexPace {
  /** No limit. */
  IndexPace NONE = bytes -> {};

  /**
   * Accounts for bytes that were written, to the file or to a temporary one. Returns when more may
   * be written.
   *
   * @throws IOException if the writer is to stop
   */
  void wrote(int bytes) throws IOException;
}
