package dev.cairn.engine.wal;

/**
 * Decides from a log file's syncs whether to roll it ({@link WalRollPolicy}). Owned by the current
 * writer.
 */
final class SyncHistory {
  private final WalRollPolicy policy;
  private long intervalStart;
  private int slowSyncs;
  private int lowCopiesRolls;
  private boolean slow;
  private boolean lowCopies;

  SyncHistory(WalRollPolicy policy) {
    this.policy = policy;
  }

  /**
   * Records a write and sync.
   *
   * @param endNanos when it ended
   * @param tookNanos how long it took
   * @param copies how many machines hold the bytes
   */
  void add(long endNanos, long tookNanos, int copies) {
    if (tookNanos > policy.slowNanos()) {
      addSlow(endNanos);
    }
    slow |= tookNanos > policy.longestNanos();
    if (copies >= policy.copiesMin()) {
      lowCopiesRolls = 0;
      lowCopies = false;
    } else {
      lowCopies = lowCopiesRolls < policy.lowCopiesRollsMax();
    }
  }

  private void addSlow(long endNanos) {
    if (slowSyncs == 0 || endNanos - intervalStart > policy.slowIntervalNanos()) {
      intervalStart = endNanos;
      slowSyncs = 0;
    }
    slowSyncs++;
    slow |= slowSyncs > policy.slowSyncsMax();
  }

  /** Tells whether to roll the file. */
  boolean isRollDue() {
    return slow || lowCopies;
  }

  /** Records that a new file was begun. */
  void rolled() {
    lowCopiesRolls += lowCopies ? 1 : 0;
    slowSyncs = 0;
    slow = false;
    lowCopies = false;
  }
}
