package dev.cairn.engine.scan;

import dev.cairn.engine.time.Clock;

/** Says when a call has worked long enough; looks at the clock once in a while. */
final class WorkBudget {
  private static final int CELLS_BETWEEN_CHECKS = 64;

  private final Clock clock;
  private long deadlineNanos = Long.MAX_VALUE;
  private int untilCheck;

  WorkBudget(Clock clock) {
    this.clock = clock;
  }

  /** A call begins; the first cells are free, so that every call gets on. */
  void start(long deadlineNanos) {
    this.deadlineNanos = deadlineNanos;
    this.untilCheck = CELLS_BETWEEN_CHECKS;
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
    untilCheck = CELLS_BETWEEN_CHECKS;
    return clock.nanoTime() - deadlineNanos >= 0;
  }
}
