package dev.cairn.engine.wal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long something of the current writer has taken: one attempt at a group commit, or
 * all attempts at it. The current writer sets it; any thread may read it.
 */
final class CommitTimer {
  private static final long NONE = Long.MIN_VALUE;

  private final AtomicLong begun = new AtomicLong(NONE);

  void begin(long nowNanos) {
    begun.setRelease(nowNanos);
  }

  /** Begins, unless it has begun before. */
  void beginIfEnded(long nowNanos) {
    begun.compareAndSet(NONE, nowNanos);
  }

  void end() {
    begun.setRelease(NONE);
  }

  /** Returns the nanoseconds since it began; 0 if it has ended. */
  long nanos(long nowNanos) {
    long since = begun.getAcquire();
    return since == NONE ? 0 : Math.max(0, nowNanos - since);
  }
}
