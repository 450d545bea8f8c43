package dev.cairn.engine.wal.split;

import dev.cairn.engine.wal.file.CorruptWalException;

/** The treatment of a log file that turns out to be damaged while it is split. */
public enum CorruptWalPolicy {
  /** The split stops with {@link CorruptWalException}, and no entry is skipped. */
  REFUSED,
  /**
   * The entries before the damage are kept. The file goes to a directory of its own, where people
   * can look at the rest, and the split goes on.
   */
  SET_ASIDE
}
