package dev.cairn.interop.waiting;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for a condition. */
public final class Eventually {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private Eventually() {}

  /** Returns once {@code condition} holds; fails if it does not within four minutes. */
  public static void holds(Callable<Boolean> condition, String what) {
    Awaitility.await(what)
        .pollInSameThread()
        .dontCatchUncaughtExceptions() // of other threads
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .atMost(PATIENCE)
        .until(condition);
  }
}
