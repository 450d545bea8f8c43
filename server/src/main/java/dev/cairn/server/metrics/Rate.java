package dev.cairn.server.metrics;

import java.util.concurrent.TimeUnit;

/**
 * The rate of a counter in the last window. A window ends with the first reading that comes five
 * seconds or more after its start; readings before that return the rate of the previous window.
 * Thread-safe.
 */
public final class Rate {
  /** The minimum duration of a window, as in HBase. */
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private long beganNanos; // guarded by this
  private long countThen; // guarded by this
  private double perSecond; // guarded by this

  /** Begins the first window, with a counter at 0. */
  public Rate(long nowNanos) {
    this.beganNanos = nowNanos;
  }

  /** Returns the increase per second, given the counter's present value. */
  public synchronized double perSecond(long count, long nowNanos) {
    long nanos = nowNanos - beganNanos;
    if (nanos >= WINDOW_NANOS) {
      perSecond = Math.max(0, count - countThen) * SECOND_NANOS / nanos;
      countThen = count;
      beganNanos = nowNanos;
    }
    return perSecond;
  }
}
