package dev.cairn.engine.wal;

/** What happens to a log file that turns out to be damaged while it is split. */
public enum CorruptWalPolicy {
  /** The split stops with {@link CorruptWalException}, and nothing is given up. */
  REFUSED,
  /**
   * What stands before the damage is kept; the file goes to a directory of its own, where people
   * can look at the rest; the split goes on.
   */
  SET_ASIDE
}
