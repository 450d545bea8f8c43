package dev.cairn.interop;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition. */
public final class Eventually {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Eventually() {}

  /** Returns once {@code condition} holds; fails if it does not within a minute. */
  public static void holds(Callable<Boolean> condition, String what) {
    long end = System.nanoTime() + LIMIT.toNanos();
    try {
      while (!condition.call()) {
        if (System.nanoTime() > end) {
          throw new AssertionError("Not within " + LIMIT.toSeconds() + " s: " + what);
        }
        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      }
    } catch (Exception e) {
      throw new AssertionError("While waiting until " + what, e);
    }
  }
}
