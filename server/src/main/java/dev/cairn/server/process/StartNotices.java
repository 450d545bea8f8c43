package dev.cairn.server.process;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Tells what keeps the servers of a process from serving, while it waits for them. */
final class StartNotices {
  private static final long LOOK_MILLIS = 500;

  private final List<HostedServer> servers;
  private final Consumer<String> notice;
  private final Set<String> told = new HashSet<>();

  /**
   * Creates it.
   *
   * @param notice receives each obstacle once, on the waiting thread
   */
  StartNotices(List<HostedServer> servers, Consumer<String> notice) {
    this.servers = servers;
    this.notice = notice;
  }

  /**
   * Waits for a result.
   *
   * @throws TimeoutException if it does not come within {@code patience}
   */
  void await(CompletableFuture<?> result, Duration patience)
      throws InterruptedException, ExecutionException, TimeoutException {
    long left = patience.toMillis();
    while (true) {
      try {
        result.get(Math.min(left, LOOK_MILLIS), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        left -= LOOK_MILLIS;
        if (left <= 0) {
          throw e;
        }
        tell();
      }
    }
  }

  private void tell() {
    for (HostedServer server : servers) {
      try {
        server.obstacles().stream().filter(told::add).forEach(notice);
      } catch (IOException e) {
        // It does not answer now; the next look may succeed.
      }
    }
  }
}
