package dev.cairn.server.hadoop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Determines how long a log waits for a sync before it continues in another file. Each timeout in a
 * row doubles the wait, because another file is no faster if all DataNodes are slow. The first sync
 * of a process may take longer, too. Thread-safe.
 */
final class SyncPatience {
  private static final int FACTOR_MAX = 32;
  private static final int FIRST_FACTOR = 8;

  private final long least;
  private final AtomicLong now;

  SyncPatience(Duration least) {
    this.least = least.toNanos();
    this.now = new AtomicLong(FIRST_FACTOR * this.least);
  }

  /** Returns how long the next sync may take, nanoseconds. */
  long nanos() {
    return now.get();
  }

  /** Records that a sync took too long. */
  void exceeded() {
    now.updateAndGet(nanos -> Math.min(2 * nanos, FACTOR_MAX * least));
  }

  /** Records that a sync was done in time. */
  void met() {
    if (now.get() != least) {
      now.set(least);
    }
  }
}
