package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits for what happens on other threads, and fails if it does not in time. */
public final class Waiting {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Waiting() {}

  /** Returns once {@code condition} holds. */
  public static void waitUntil(BooleanSupplier condition) {
    Awaitility.await()
        .pollInSameThread()
        .dontCatchUncaughtExceptions() // of other threads
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(PATIENCE)
        .until(condition::getAsBoolean);
  }

  /** Waits until {@code condition} holds; returns false if it does not in time. */
  public static boolean reaches(BooleanSupplier condition) {
    try {
      waitUntil(condition);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
