package dev.cairn.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Waits in tests for what happens on other threads, and fails if it does not in time: a patience
 * that a busy machine does not use up.
 */
public final class Waiting {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private Waiting() {}

  /** Waits until a condition holds. */
  public static void until(BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begun).as("waited for in vain").isLessThan(PATIENCE_NANOS);
      Thread.yield();
    }
  }

  /** Waits until a thread waits for another, without a limit, or has ended. */
  public static void untilWaitingOrDone(Thread thread) {
    until(
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TERMINATED);
  }

  /** Waits until a latch is open. */
  public static void until(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS))
          .as("waited for in vain")
          .isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
