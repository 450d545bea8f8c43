package dev.cairn.server.health;

import java.util.Objects;

/**
 * What a check found.
 *
 * @param status how serious it is
 * @param message what is the case, where, and, unless all is well, what to do; one line for each
 *     finding
 */
public record HealthResult(HealthStatus status, String message) {
  /** Checks that nothing is missing. */
  public HealthResult {
    Objects.requireNonNull(status);
    Objects.requireNonNull(message);
  }

  /** All is well. */
  public static HealthResult ok(String message) {
    return new HealthResult(HealthStatus.OK, message);
  }

  /** Somebody should look. */
  public static HealthResult warn(String message) {
    return new HealthResult(HealthStatus.WARN, message);
  }

  /** The server cannot do its work. */
  public static HealthResult fail(String message) {
    return new HealthResult(HealthStatus.FAIL, message);
  }
}
