package dev.cairn.server.health;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Runs the health checks of one server. Thread-safe. */
public final class HealthMonitor {
  private final List<HealthCheck> checks = new CopyOnWriteArrayList<>();

  /**
   * Adds a check to all later reports.
   *
   * @throws IllegalArgumentException if a check has that name
   */
  public void add(HealthCheck check) {
    if (checks.stream().anyMatch(known -> known.name().equals(check.name()))) {
      throw new IllegalArgumentException(
          "A health check named " + check.name() + " exists already");
    }
    checks.add(check);
  }

  /** Runs all checks, in the order in which they were added. */
  public HealthReport report() {
    return new HealthReport(
        checks.stream().map(check -> new HealthReport.Entry(check.name(), run(check))).toList());
  }

  private static HealthResult run(HealthCheck check) {
    try {
      return check.check();
    } catch (IOException | RuntimeException e) {
      return HealthResult.warn("The check failed; the server's log may say why: " + e);
    }
  }
}
