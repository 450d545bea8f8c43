package dev.cairn.engine.hfile.format;

import dev.cairn.engine.storage.LostBlockException;

/**
 * Receives the damage that a reader finds in an open file. Called by the reading thread for each
 * failing read, so it must be quick, must not throw, and must be thread-safe.
 */
@FunctionalInterface
public interface DamageListener {
  /** Listens to nothing. */
  DamageListener NONE = damage -> {};

  /** A read found {@code damage}; the reader throws it next. */
  void damaged(CorruptFileException damage);

  /** A read met a block without copies; the reader throws {@code loss} next. */
  default void lost(LostBlockException loss) {}
}
