package dev.cairn.launcher;

import dev.cairn.server.config.AddressException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Restarts a server that ended without a fault of its own. Tries again if a start fails. A {@link
 * RestartLimit} limits all attempts. Used by one thread.
 *
 * @param notice receives one line for each start, each failure and each pause
 */
record Restarts(RestartLimit limit, Consumer<String> notice) {
  /** Starts a server. */
  @FunctionalInterface
  interface Start<T> {
    T start() throws IOException, InterruptedException;
  }

  Restarts(Consumer<String> notice) {
    this(new RestartLimit(), notice);
  }

  /**
   * Restarts a server.
   *
   * @param reason why it ended
   * @throws dev.cairn.server.config.ConfigException if its settings have become invalid; an {@link
   *     AddressException} counts as a failed start instead
   * @throws LauncherException naming the last reason, if it has restarted too often
   */
  <T> T start(String reason, Start<T> start) throws InterruptedException {
    String last = reason;
    while (true) {
      pause(last);
      try {
        return start.start();
      } catch (IOException | AddressException e) {
        last = "The start failed: " + Failures.reason(e);
      }
    }
  }

  private void pause(String reason) throws InterruptedException {
    Duration now = Duration.ofNanos(System.nanoTime());
    Optional<Duration> pause = limit.next(now);
    if (pause.isEmpty()) {
      throw new LauncherException(
          reason
              + ". The server has restarted "
              + RestartLimit.STARTS_MAX
              + " times within an hour, and stays down");
    }
    if (pause.get().isZero()) {
      notice.accept(reason + ". Restarting");
    } else {
      notice.accept(reason + ". Restarting in " + pause.get().toSeconds() + " s");
      TimeUnit.NANOSECONDS.sleep(pause.get().toNanos());
    }
  }
}
