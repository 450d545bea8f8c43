package dev.cairn.launcher.server;

import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.health.HealthStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reports the health of a server that has just started. The server opens its regions after it
 * serves, and only open regions tell whether their table is refused. One thread.
 *
 * @param health asks the server; empty if it has no web page
 * @param patience how long to wait until all regions are open
 */
record FirstHealth(Optional<Supplier<HealthReport>> health, Duration patience) {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final long LOOK_MILLIS = 20;
  private static final String REGIONS = "regions";

  /** Its findings are warnings about settings, which {@code cairn start} prints in any case. */
  private static final String SETTINGS = "settings";

  /** Returns the health of the server with these addresses. */
  static FirstHealth of(Addresses addresses) {
    HealthQuery query = new HealthQuery(PATIENCE);
    return new FirstHealth(
        addresses.health().map(url -> () -> query.ask(Optional.of(url))), PATIENCE);
  }

  /** Prints one line for each finding, such as a refused table, up to a limit. */
  void print(PrintWriter out) throws InterruptedException {
    if (health.isEmpty()) {
      return;
    }
    for (HealthReport.Entry check : settled(health.get()).checks()) {
      HealthResult result = check.result();
      if (result.status() != HealthStatus.OK && !check.name().equals(SETTINGS)) {
        Descriptions.printFirst(
            check.name(), List.of(result.message().split("\n")), "cairn status", out);
      }
    }
  }

  private HealthReport settled(Supplier<HealthReport> source) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    HealthReport report = source.get();
    while (!allOpen(report) && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // nothing tells another process that a region opens
      report = source.get();
    }
    return report;
  }

  private static boolean allOpen(HealthReport report) {
    return report.checks().stream()
        .filter(check -> check.name().equals(REGIONS))
        .allMatch(check -> check.result().status() == HealthStatus.OK);
  }
}
