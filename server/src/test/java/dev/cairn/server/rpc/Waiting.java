package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what happens on other threads, and fails if it does not in time. */
public final class Waiting {
  private Waiting() {}

  /** Returns once {@code condition} holds. */
  public static void waitUntil(BooleanSupplier condition) {
    assertThat(reaches(condition)).as("in time").isTrue();
  }

  /** Waits until {@code condition} holds; returns false if it does not in time. */
  public static boolean reaches(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    boolean reached = condition.getAsBoolean();
    while (!reached && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      reached = condition.getAsBoolean();
    }
    return reached;
  }

  static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
