package dev.cairn.engine.wal;

/**
 * What a log does when its file has failed and the next one cannot be made.
 *
 * @param tries how often it tries until it fails for good; a full disk does not count
 * @param pauseNanos how long it waits between two tries, nanoseconds
 * @param probeNanos how long it waits on a full disk until it looks for room again, nanoseconds
 */
public record WalRecovery(int tries, long pauseNanos, long probeNanos) {
  /** Five tries within a second, and a look at a full disk every second. */
  public static final WalRecovery DEFAULT = new WalRecovery(5, 200_000_000L, 1_000_000_000L);

  /** Checks the ranges. */
  public WalRecovery {
    if (tries < 1 || pauseNanos <= 0 || probeNanos <= 0) {
      throw new IllegalArgumentException("Tries and pauses of a log must be above 0");
    }
  }
}
