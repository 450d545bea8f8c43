package dev.cairn.engine.wal;

/**
 * The retries of a log whose file has failed, if the next one cannot be created.
 *
 * @param tries number of attempts before the log fails for good; a full disk does not count
 * @param pauseNanos pause between two attempts, nanoseconds
 * @param probeNanos pause before the next attempt on a full disk, nanoseconds
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
