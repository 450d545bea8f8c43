package dev.cairn.server.filter;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Ends the evaluation of regular expressions when nobody waits for the answer any more. An
 * expression that backtracks can run for years on one value, and would hold its handler for as
 * long.
 *
 * <p>A handler enters a call through {@link #within}. Comparators that run inside it ask {@link
 * #current} for the call's limit, and look at it while they search. Any number of threads.
 */
public final class EvaluationGuard {
  /** How often the limit of a search is looked at that cannot do so itself, milliseconds. */
  private static final long WATCH_MILLIS = 50;

  /** The share of the caller's time after which a search ends, so that the error is in time. */
  private static final double SHARE = 0.9;

  private final Clock clock;
  private final ScheduledExecutorService timer;
  private final ThreadLocal<Limit> limits = new ThreadLocal<>();
  private final Limit unlimited;

  /** A piece of work on behalf of a call. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it. */
    T run() throws IOException;
  }

  /**
   * Creates a guard.
   *
   * @param timer looks at limits from outside; never blocked
   */
  public EvaluationGuard(Clock clock, ScheduledExecutorService timer) {
    this.clock = clock;
    this.timer = timer;
    this.unlimited = new Limit(clock.nanoTime(), Long.MAX_VALUE, () -> false);
  }

  /**
   * Runs {@code work} on the calling thread, within the time of its caller.
   *
   * @param beginNanos when the call came in, in terms of the clock's {@code nanoTime}
   * @param waitNanos how long its caller waits from then on
   * @param gone tells whether the caller has disconnected
   */
  public <T> T within(long beginNanos, long waitNanos, BooleanSupplier gone, Work<T> work)
      throws IOException {
    Limit limit = new Limit(beginNanos, (long) (waitNanos * SHARE), gone);
    limits.set(limit);
    try {
      return work.run();
    } finally {
      limits.remove();
      limit.end();
    }
  }

  /** Returns the limit of the call that the calling thread answers. */
  Limit current() {
    Limit limit = limits.get();
    return limit == null ? unlimited : limit;
  }

  /** The time of one call. {@link #search} and {@link #check} are for the call's thread. */
  final class Limit {
    private final long beginNanos;
    private final long timeNanos;
    private final BooleanSupplier gone;
    private long searchBeginNanos;
    private ScheduledFuture<?> watch;

    /** Ends the search that is under way; null if there is none. */
    private volatile Runnable interrupt;

    private Limit(long beginNanos, long timeNanos, BooleanSupplier gone) {
      this.beginNanos = beginNanos;
      this.timeNanos = timeNanos;
      this.gone = gone;
    }

    /** A search begins that calls {@link #check} itself. */
    void begin() {
      searchBeginNanos = clock.nanoTime();
    }

    /**
     * Runs a search that cannot look at the clock. The timer ends it when the limit is reached.
     *
     * @param stop ends the search; called by another thread
     */
    void search(Runnable search, Runnable stop) {
      begin();
      if (watch == null && timeNanos != Long.MAX_VALUE) {
        watch =
            timer.scheduleWithFixedDelay(
                this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
      }
      interrupt = stop;
      try {
        search.run();
      } finally {
        interrupt = null;
      }
    }

    /**
     * Checks that somebody waits for the answer.
     *
     * @throws EvaluationEndedException if not
     */
    void check() {
      if (isReached()) {
        long now = clock.nanoTime();
        throw new EvaluationEndedException(
            TimeUnit.NANOSECONDS.toMillis(now - searchBeginNanos),
            TimeUnit.NANOSECONDS.toMillis((long) (timeNanos / SHARE)),
            now - searchBeginNanos >= timeNanos / 2);
      }
    }

    private boolean isReached() {
      return timeNanos != Long.MAX_VALUE
          && (clock.nanoTime() - beginNanos >= timeNanos || gone.getAsBoolean());
    }

    private void watch() {
      Runnable stop = interrupt;
      if (stop != null && isReached()) {
        stop.run();
      }
    }

    private void end() {
      if (watch != null) {
        watch.cancel(false);
      }
    }
  }
}
