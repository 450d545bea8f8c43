package dev.cairn.server.filter;

import dev.cairn.engine.time.Clock;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Stops the evaluation of regular expressions when no caller waits for the result any more. A
 * backtracking expression can run for years on one value, and would block its handler for as long.
 *
 * <p>A handler runs a call under a {@link #limit}. Comparators get the call's limit from {@link
 * #current}, and check it while they search. Thread-safe.
 */
public final class EvaluationGuard {
  /**
   * The time between two checks, by the timer, of a search that cannot check its limit itself,
   * milliseconds.
   */
  private static final long WATCH_MILLIS = 50;

  /**
   * The share of the caller's time after which a search stops, so that the error arrives in time.
   */
  private static final double SHARE = 0.9;

  private final Clock clock;
  private final Optional<ScheduledExecutorService> timer;
  private final ThreadLocal<Slot> slots = ThreadLocal.withInitial(Slot::new);
  private final Limit unlimited;

  /** The place of a thread's present limit. It stays with the thread, so that a call adds none. */
  private static final class Slot {
    private Limit limit; // null if the thread runs no call
  }

  /** Creates a guard without a timer, for searches that check their limit themselves. */
  public EvaluationGuard(Clock clock) {
    this(clock, Optional.empty());
  }

  /**
   * Creates a guard.
   *
   * @param timer checks limits of searches that cannot; its tasks never block
   */
  public EvaluationGuard(Clock clock, ScheduledExecutorService timer) {
    this(clock, Optional.of(timer));
  }

  private EvaluationGuard(Clock clock, Optional<ScheduledExecutorService> timer) {
    this.clock = clock;
    this.timer = timer;
    this.unlimited = new Limit(clock.nanoTime(), Long.MAX_VALUE, () -> false, null);
  }

  /**
   * Limits the evaluations of the calling thread to the time that the client waits. Closing the
   * limit ends this, and the thread's earlier limit is in force again.
   *
   * @param beginNanos when the call arrived, by the clock's {@code nanoTime}
   * @param waitNanos the time that the client waits from then
   * @param gone tells whether the caller has disconnected
   */
  public Limit limit(long beginNanos, long waitNanos, BooleanSupplier gone) {
    Slot slot = slots.get();
    Limit limit = new Limit(beginNanos, (long) (waitNanos * SHARE), gone, slot.limit);
    slot.limit = limit;
    return limit;
  }

  /** Returns the limit of the calling thread's call. */
  Limit current() {
    Limit limit = slots.get().limit;
    return limit == null ? unlimited : limit;
  }

  /** The time limit of one call. Only the call's thread may use it. */
  public final class Limit implements AutoCloseable {
    private final long beginNanos;
    private final long timeNanos;
    private final BooleanSupplier gone;
    private final Limit outer; // of the call that the thread interrupts for this one, or null
    private long searchBeginNanos;
    private ScheduledFuture<?> watch;

    /** Stops the running search; null if none runs. */
    private volatile Runnable interrupt;

    private Limit(long beginNanos, long timeNanos, BooleanSupplier gone, Limit outer) {
      this.outer = outer;
      this.beginNanos = beginNanos;
      this.timeNanos = timeNanos;
      this.gone = gone;
    }

    /** Begins a search that calls {@link #check} itself. */
    void begin() {
      searchBeginNanos = clock.nanoTime();
    }

    /**
     * Runs a search that cannot check the clock. The timer stops it when the limit is reached.
     *
     * @param stop stops the search; called by another thread
     */
    void search(Runnable search, Runnable stop) {
      begin();
      if (watch == null && timeNanos != Long.MAX_VALUE) {
        watch =
            timer
                .orElseThrow(() -> new IllegalStateException("The guard has no timer"))
                .scheduleWithFixedDelay(
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
     * Checks that the client still waits.
     *
     * @throws EvaluationEndedException if it does not
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

    @Override
    public void close() {
      slots.get().limit = outer;
      if (watch != null) {
        watch.cancel(false);
      }
    }
  }
}
