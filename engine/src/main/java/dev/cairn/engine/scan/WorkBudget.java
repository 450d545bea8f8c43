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
  private boolean free;
  private boolean lifted;

  WorkBudget(Clock clock) {
    this.clock = clock;
  }

  /**
   * A call begins; the first cell is free, so that every call gets on. A call with the deadline of
   * the one before it goes on with its pace: whoever takes row after row would else read the clock
   * four times for each row of ten cells, instead of once for six rows.
   */
  void start(long deadlineNanos) {
    free = true;
    lifted = false;
    if (deadlineNanos != this.deadlineNanos) {
      this.deadlineNanos = deadlineNanos;
      this.lastCheckNanos = deadlineNanos == Long.MAX_VALUE ? 0 : clock.nanoTime();
      this.betweenChecks = 1;
      this.untilCheck = 1;
    }
  }

  /** Lifts the deadline for the rest of the call. */
  void lift() {
    lifted = true;
    deadlineNanos = Long.MAX_VALUE;
  }

  /** Counts a cell that is looked at. Returns whether the time is over. */
  boolean isSpent() {
    if (deadlineNanos == Long.MAX_VALUE) {
      return false;
    }
    if (free) {
      free = false;
      return false;
    }
    return --untilCheck <= 0 && looks();
  }

  /** Counts cells that were handed out without a look at each; {@link #isSpent} is asked next. */
  void count(int cells) {
    if (deadlineNanos != Long.MAX_VALUE) {
      untilCheck -= cells;
    }
  }

  /**
   * Counts cells that were handed out without a look at each, to the end of a row. Returns whether
   * the call is to end there for its time; also if that was lifted to get there.
   */
  boolean isSpentAfter(int cells) {
    if (lifted || deadlineNanos == Long.MAX_VALUE) {
      return lifted;
    }
    count(cells);
    return untilCheck <= 0 && looks();
  }

  private boolean looks() {
    long now = clock.nanoTime();
    boolean quick = now - lastCheckNanos < QUICK_NANOS;
    betweenChecks = quick ? Math.min(2 * betweenChecks, CELLS_BETWEEN_CHECKS_MAX) : 1;
    lastCheckNanos = now;
    untilCheck = betweenChecks;
    return now - deadlineNanos >= 0;
  }
}
