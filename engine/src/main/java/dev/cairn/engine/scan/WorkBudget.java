package dev.cairn.engine.scan;

import dev.cairn.engine.time.Clock;

/**
 * Says when a call has worked long enough; looks at the clock once in a while: seldom as long as
 * cells go quickly, and at each one where they don't, as with a filter that takes its time.
 */
final class WorkBudget {
  private static final int CELLS_BETWEEN_CHECKS_MAX = 64;
  private static final long QUICK_NANOS = 1_000_000;

  private final Clock clock;
  private long deadlineNanos = Long.MAX_VALUE;
  private long lastCheckNanos;
  private int betweenChecks = 1;
  private int untilCheck;

  WorkBudget(Clock clock) {
    this.clock = clock;
  }

  /** A call begins; the first cell is free, so that every call gets on. */
  void start(long deadlineNanos) {
    this.deadlineNanos = deadlineNanos;
    if (deadlineNanos != Long.MAX_VALUE) {
      this.lastCheckNanos = clock.nanoTime();
      this.betweenChecks = 1;
      this.untilCheck = 2;
    }
  }

  /** Lifts the deadline for the rest of the call. */
  void lift() {
    deadlineNanos = Long.MAX_VALUE;
  }

  /** Counts a cell that is looked at. Returns whether the time is over. */
  boolean isSpent() {
    if (deadlineNanos == Long.MAX_VALUE || --untilCheck > 0) {
      return false;
    }
    long now = clock.nanoTime();
    boolean quick = now - lastCheckNanos < QUICK_NANOS;
    betweenChecks = quick ? Math.min(2 * betweenChecks, CELLS_BETWEEN_CHECKS_MAX) : 1;
    lastCheckNanos = now;
    untilCheck = betweenChecks;
    return now - deadlineNanos >= 0;
  }
}
