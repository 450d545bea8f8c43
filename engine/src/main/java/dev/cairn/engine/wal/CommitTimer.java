package dev.cairn.engine.wal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long the current writer has worked on a group commit: on one attempt, or on all its
 * attempts. The current writer sets it; any thread may read it.
 */
final class CommitTimer {
  private static final long NONE = Long.MIN_VALUE;

  private final AtomicLong begun = new AtomicLong(NONE);

  void begin(long nowNanos) {
    begun.setRelease(nowNanos);
  }

  /** Begins, unless it runs already. */
  void beginIfEnded(long nowNanos) {
    begun.compareAndSet(NONE, nowNanos);
  }

  void end() {
    begun.setRelease(NONE);
  }

  /** Returns the nanoseconds since it began; 0 if it does not run. */
  long nanos(long nowNanos) {
    long since = begun.getAcquire();
    return since == NONE ? 0 : Math.max(0, nowNanos - since);
  }
}
