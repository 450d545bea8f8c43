package dev.cairn.torture.simulation;

import dev.cairn.engine.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still between {@link #advance}s. Thread-safe. */
public final class SimulatedClock implements Clock {
  private final AtomicLong millis;

  /** Creates a clock that shows {@code millis} since 1970. */
  public SimulatedClock(long millis) {
    this.millis = new AtomicLong(millis);
  }

  /** Lets time pass. */
  public void advance(long byMillis) {
    millis.addAndGet(byMillis);
  }

  @Override
  public long currentTimeMillis() {
    return millis.get();
  }

  @Override
  public long nanoTime() {
    return millis.get() * 1_000_000;
  }
}
