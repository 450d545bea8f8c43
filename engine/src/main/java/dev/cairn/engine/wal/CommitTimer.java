package dev.cairn.engine.wal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long the current group commit has run. The current writer sets it; any thread may
 * read it.
 */
final class CommitTimer {
  private static final long NONE = Long.MIN_VALUE;

  private final AtomicLong begun = new AtomicLong(NONE);

  void begin(long nowNanos) {
    begun.setRelease(nowNanos);
  }

  void end() {
    begun.setRelease(NONE);
  }

  /** Returns the nanoseconds since the commit began; 0 if none runs. */
  long nanos(long nowNanos) {
    long since = begun.getAcquire();
    return since == NONE ? 0 : Math.max(0, nowNanos - since);
  }
}
