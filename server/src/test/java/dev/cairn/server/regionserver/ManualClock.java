package dev.cairn.server.regionserver;

import dev.cairn.engine.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved. */
final class ManualClock implements Clock {
  private final AtomicLong nanos = new AtomicLong(TimeUnit.HOURS.toNanos(1));

  void advanceMillis(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
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
