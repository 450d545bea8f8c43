package dev.cairn.tools.backup;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;

/**
 * Reads the clocks of the region servers, which stamp the changes. The clocks may differ from each
 * other, and from the clock of this machine. Each server's reports to the master contain its time.
 */
final class ServerClocks {
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** Exceeds the time between two reports, and the greatest difference between two clocks. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Admin admin;
  private final Clock clock;

  ServerClocks(Admin admin, Clock clock) {
    this.admin = admin;
    this.clock = clock;
  }

  /**
   * The times of the servers' newest reports, milliseconds since 1970; at least one. A server that
   * has not reported yet has the time of its start.
   */
  record Reading(Map<ServerName, Long> times) {
    /** Returns the time of the slowest clock. */
    long slowest() {
      return times.values().stream().mapToLong(Long::longValue).min().orElseThrow();
    }

    /** Returns the time of the fastest clock. */
    long fastest() {
      return times.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    /**
     * Returns a time that no server had passed when this was read, including servers that have
     * ended since an earlier reading.
     */
    long upperBound(Reading earlier) {
      long elapsed = Math.max(0, fastest() - earlier.fastest());
      long gone =
          earlier.times().entrySet().stream()
              .filter(server -> !times.containsKey(server.getKey()))
              .mapToLong(server -> server.getValue() + elapsed + PATIENCE.toMillis() / 2)
              .max()
              .orElse(Long.MIN_VALUE);
      return Math.max(gone, fastest());
    }

    /**
     * Returns a time that all servers had reached when this was read. Servers that have started
     * since then had reached it at their start. So later changes have no earlier times.
     */
    long lowerBound(Reading later) {
      long started =
          later.times().keySet().stream()
              .filter(server -> !times.containsKey(server))
              .mapToLong(server -> server.getStartCode() - 1)
              .min()
              .orElse(Long.MAX_VALUE);
      return Math.min(started, slowest());
    }
  }

  /** Returns the newest reports, which may be some seconds old. */
  Reading newest() throws IOException {
    Map<ServerName, Long> times = new TreeMap<>();
    ClusterMetrics cluster =
        admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
    cluster
        .getLiveServerMetrics()
        .forEach(
            (server, metrics) ->
                times.put(server, Math.max(server.getStartCode(), metrics.getReportTimestamp())));
    if (times.isEmpty()) {
      throw new BackupException("no region server is online");
    }
    return new Reading(times);
  }

  /**
   * Waits for a new report of each server, and returns the reports.
   *
   * @param millis the time that each clock must have reached
   */
  Reading read(long millis) throws IOException {
    Reading before = newest();
    long deadline = clock.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Reading now = newest();
      Collection<String> late =
          now.times().entrySet().stream()
              .filter(
                  server ->
                      server.getValue() < millis
                          || server.getValue() <= before.times().getOrDefault(server.getKey(), 0L))
              .map(server -> server.getKey().toString())
              .collect(Collectors.toList());
      if (late.isEmpty()) {
        return now;
      }
      if (clock.nanoTime() - deadline > 0) {
        throw new BackupException(
            "the clock of a region server is not known, because its reports do not reach the"
                + " master, or because the clock is slow by more than "
                + PATIENCE.toSeconds()
                + " seconds: "
                + String.join(", ", late));
      }
      pause();
    }
  }

  private void pause() throws IOException {
    try {
      clock.await(new CompletableFuture<>(), PAUSE.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
