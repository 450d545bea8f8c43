package dev.cairn.server.process;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import java.util.function.BooleanSupplier;

/**
 * Tells whether clients are served.
 *
 * @param serving whether the start is done and nothing has ended since
 */
record ServingHealth(BooleanSupplier serving) implements HealthCheck {
  @Override
  public String name() {
    return "server";
  }

  @Override
  public HealthResult check() {
    return serving.getAsBoolean()
        ? HealthResult.ok("Clients are served.")
        : HealthResult.fail(
            "The server is starting or stopping; its log says what it is waiting for.");
  }
}
