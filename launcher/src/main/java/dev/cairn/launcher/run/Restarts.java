package dev.cairn.launcher.run;

import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.server.config.AddressException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restarts a server that ended without a fault of its own. A {@link RestartLimit} limits the
 * restarts. A start that fails is repeated without a limit. Used by one thread.
 *
 * @param notice receives one line for each start, each failure and each pause
 */
public record Restarts(RestartLimit limit, Consumer<String> notice) {
  private static final Logger LOG = LoggerFactory.getLogger(Restarts.class);

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
   *     AddressException} is treated as a failed start instead
   * @throws LauncherException naming the last reason, if it has restarted too often
   */
  <T> T start(String reason, Start<T> start) throws InterruptedException {
    pause(reason, pauseOf(reason));
    Duration pause = RestartLimit.PAUSE_MIN;
    while (true) {
      try {
        T started = start.start();
        limit.started(now());
        return started;
      } catch (IOException | AddressException e) {
        pause("The start failed: " + Failures.reason(e), pause);
        pause = RestartLimit.longer(pause);
      }
    }
  }

  private Duration pauseOf(String reason) {
    return limit.next(now()).orElseThrow(() -> staysDown(reason));
  }

  private static LauncherException staysDown(String reason) {
    String often = RestartLimit.STARTS_MAX + " times within an hour";
    LOG.error("The server has restarted {}, and stays down: {}", often, reason);
    return new LauncherException(
        reason + ". The server has restarted " + often + ", and stays down");
  }

  private void pause(String reason, Duration pause) throws InterruptedException {
    if (pause.isZero()) {
      notice.accept(reason + ". Restarting");
    } else {
      notice.accept(reason + ". Restarting in " + pause.toSeconds() + " s");
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    }
  }

  private static Duration now() {
    return Duration.ofNanos(System.nanoTime());
  }
}
