package dev.cairn.server.rpc;

import dev.cairn.engine.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved. */
public final class ManualClock implements Clock {
  private final AtomicLong nanos = new AtomicLong(TimeUnit.HOURS.toNanos(1));

  /** Moves on by so many milliseconds. */
  public void advanceMillis(long millis) {
    advanceNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Moves on by so many nanoseconds. */
  public void advanceNanos(long more) {
    nanos.addAndGet(more);
  }

  @Override
  public long currentTimeMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.get());
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }
}
