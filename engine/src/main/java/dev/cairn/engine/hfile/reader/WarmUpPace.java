package dev.cairn.engine.hfile.reader;

import dev.cairn.engine.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Limits the reading of blocks ahead of their use: its rate, its total and its time. Not
 * thread-safe.
 */
public final class WarmUpPace {
  private final Clock clock;
  private final long bytesPerSecond;
  private final long bytesMax;
  private final long begunNanos;
  private final long nanosMax;
  private long bytes;
  private boolean ended;

  /**
   * Begins a reading.
   *
   * @param bytesPerSecond the rate on average
   * @param bytesMax the most bytes to read
   * @param nanosMax the time after which no further block is read
   */
  public WarmUpPace(Clock clock, long bytesPerSecond, long bytesMax, long nanosMax) {
    this.clock = clock;
    this.bytesPerSecond = bytesPerSecond;
    this.bytesMax = bytesMax;
    this.begunNanos = clock.nanoTime();
    this.nanosMax = nanosMax;
  }

  /** Returns a pace without limits. */
  public static WarmUpPace unlimited(Clock clock) {
    return new WarmUpPace(clock, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /**
   * Waits until a block may be read. Returns whether it may be; if not, no later one may be either.
   */
  boolean mayRead(int size) {
    long elapsed = clock.nanoTime() - begunNanos;
    long due = (long) ((double) bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1));
    ended |= bytes > bytesMax - size || Math.max(elapsed, due) >= nanosMax;
    if (ended) {
      return false;
    }
    bytes += size;
    return due <= elapsed || sleep(due - elapsed);
  }

  private boolean sleep(long nanos) {
    try {
      clock.await(new CompletableFuture<>(), nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ended = true;
    }
    return !ended;
  }
}
