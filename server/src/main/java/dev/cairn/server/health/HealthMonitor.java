package dev.cairn.server.health;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The checks of one server. Thread-safe. */
public final class HealthMonitor {
  private final List<HealthCheck> checks = new CopyOnWriteArrayList<>();

  /**
   * Adds a check, from now on part of every report.
   *
   * @throws IllegalArgumentException if there is one of that name
   */
  public void add(HealthCheck check) {
    if (checks.stream().anyMatch(known -> known.name().equals(check.name()))) {
      throw new IllegalArgumentException("There is a health check " + check.name() + " already");
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
      return HealthResult.warn("This could not be checked: " + e);
    }
  }
}
