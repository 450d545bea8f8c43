package dev.cairn.engine.wal;

import java.util.concurrent.atomic.AtomicLong;

/** Tells how long a group commit has been under way. Set by the current writer, read by anyone. */
final class CommitWatch {
  private static final long NONE = Long.MIN_VALUE;

  private final AtomicLong begun = new AtomicLong(NONE);

  void begin(long nowNanos) {
    begun.setRelease(nowNanos);
  }

  void end() {
    begun.setRelease(NONE);
  }

  /** Returns the nanoseconds since the begin; 0 if none is under way. */
  long nanos(long nowNanos) {
    long since = begun.getAcquire();
    return since == NONE ? 0 : Math.max(0, nowNanos - since);
  }
}
