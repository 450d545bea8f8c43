package dev.cairn.server.health;

import java.util.Objects;

/**
 * The result of a health check.
 *
 * @param status how serious it is
 * @param message one line for each finding: the problem, its place, and, unless the status is ok,
 *     the remedy
 */
public record HealthResult(HealthStatus status, String message) {
  /** Checks that no part is missing. */
  public HealthResult {
    Objects.requireNonNull(status);
    Objects.requireNonNull(message);
  }

  /** Returns a result with the status ok. */
  public static HealthResult ok(String message) {
    return new HealthResult(HealthStatus.OK, message);
  }

  /** Returns a warning, for a state that an operator should look at. */
  public static HealthResult warn(String message) {
    return new HealthResult(HealthStatus.WARN, message);
  }

  /** Returns a failure, for a state in which the server cannot do its work. */
  public static HealthResult fail(String message) {
    return new HealthResult(HealthStatus.FAIL, message);
  }
}
