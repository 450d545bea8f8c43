package dev.cairn.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/**
 * Waits in tests for what happens on other threads, and fails if it does not in time: a patience
 * that a busy machine does not use up.
 */
public final class Waiting {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Waiting() {}

  /** Waits until a condition holds. */
  public static void until(BooleanSupplier condition) {
    Awaitility.await()
        .pollInSameThread()
        .dontCatchUncaughtExceptions() // of other threads
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(PATIENCE)
        .until(condition::getAsBoolean);
  }

  /** Waits until a thread waits for another, without a limit, or has ended. */
  public static void untilWaitingOrDone(Thread thread) {
    until(
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TERMINATED);
  }

  /** Runs a garbage collection, and checks that it has collected the object. */
  public static void untilCollected(WeakReference<?> reference) {
    System.gc();
    assertThat(reference.refersTo(null)).as("the object is collected").isTrue();
  }

  /** Waits until a latch is open. */
  public static void until(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .as("waited for in vain")
          .isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
