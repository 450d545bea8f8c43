package dev.cairn.torture.simulation;

import dev.cairn.engine.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/**
 * A clock that stands still between {@link #advance}s. A clock that {@link #follow}s a log serves
 * one thread, and {@link #park} polls the log instead of waiting. Otherwise it is thread-safe.
 */
public final class SimulatedClock implements Clock {
  /** The pauses of a log with one thread: it does postponed work only on request. */
  static final long FAR_NANOS = 3_600_000_000_000L;

  /** A pause up to this length passes at once. */
  private static final long SHORT_NANOS = 1_000;

  /** A wait may have ended before the thread parks, so one park in vain is no error; many are. */
  private static final int PARKS_IN_VAIN_MAX = 10;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final AtomicLong nanos;
  private Optional<LongUnaryOperator> log = Optional.empty();
  private boolean polling;
  private int parksInVain;

  /** Creates a clock that shows {@code millis} since 1970. */
  public SimulatedClock(long millis) {
    this.nanos = new AtomicLong(millis * NANOS_PER_MILLI);
  }

  /** Lets time pass. */
  public void advance(long byMillis) {
    nanos.addAndGet(byMillis * NANOS_PER_MILLI);
  }

  /** Follows another log; {@code poll} is its method of that name. */
  void follow(LongUnaryOperator poll) {
    log = Optional.of(poll);
  }

  /**
   * Polls the log until it has nothing to do. Short pauses of the log advance the clock.
   *
   * @param aheadNanos how far the first poll's time is ahead of the clock
   * @return whether it had anything to do
   */
  boolean settle(long aheadNanos) {
    if (log.isEmpty()) {
      return false;
    }
    LongUnaryOperator poll = log.get();
    if (polling) {
      throw new IllegalStateException("The log waits during its own poll");
    }
    polling = true;
    try {
      boolean worked = false;
      long wait = poll.applyAsLong(nanoTime() + aheadNanos);
      while (wait >= 0 && wait <= SHORT_NANOS) {
        worked = true;
        nanos.addAndGet(wait);
        wait = poll.applyAsLong(nanoTime());
      }
      return worked;
    } finally {
      polling = false;
    }
  }

  @Override
  public void park(long limitNanos) {
    if (log.isEmpty()) {
      Clock.super.park(limitNanos);
    } else if (settle(0)) {
      parksInVain = 0;
    } else if (limitNanos < Long.MAX_VALUE) {
      nanos.addAndGet(limitNanos);
    } else if (++parksInVain == PARKS_IN_VAIN_MAX) {
      throw new IllegalStateException("The wait cannot end: the log has nothing to do");
    }
  }

  @Override
  public long currentTimeMillis() {
    return nanos.get() / NANOS_PER_MILLI;
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }
}
