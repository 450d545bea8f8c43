package dev.cairn.engine.wal;

/**
 * Decides when a log file is rolled before it is full, because another file may be faster or have
 * more replicas.
 *
 * @param slowNanos a write and sync is slow if it takes longer, nanoseconds
 * @param slowSyncsMax more slow syncs than this within {@code slowIntervalNanos} roll the file
 * @param slowIntervalNanos the time over which slow syncs are counted, nanoseconds
 * @param longestNanos a single sync that takes longer rolls the file, nanoseconds
 * @param copiesMin fewer copies of the newest bytes than this roll the file
 * @param lowCopiesRollsMax after this many consecutive rolls for too few copies, no file is rolled
 *     for that until one has enough copies
 */
public record WalRollPolicy(
    long slowNanos,
    int slowSyncsMax,
    long slowIntervalNanos,
    long longestNanos,
    int copiesMin,
    int lowCopiesRollsMax) {
  /** Never rolls a file early, because another file on a local disk is no better. */
  public static final WalRollPolicy LENGTH_ONLY =
      new WalRollPolicy(Long.MAX_VALUE, Integer.MAX_VALUE, 1, Long.MAX_VALUE, 0, 0);

  /** Checks the ranges. */
  public WalRollPolicy {
    if (slowNanos < 0 || slowSyncsMax < 0 || slowIntervalNanos <= 0 || longestNanos <= 0) {
      throw new IllegalArgumentException("The limits of slow syncs are too low");
    }
    if (copiesMin < 0 || lowCopiesRollsMax < 0) {
      throw new IllegalArgumentException("Counts of copies must not be below 0");
    }
  }
}
