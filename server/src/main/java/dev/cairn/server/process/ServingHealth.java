package dev.cairn.server.process;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import java.util.function.BooleanSupplier;

/**
 * Checks that the server serves clients.
 *
 * @param serving whether the start is complete and nothing has ended since
 */
record ServingHealth(BooleanSupplier serving) implements HealthCheck {
  @Override
  public String name() {
    return "server";
  }

  @Override
  public HealthResult check() {
    return serving.getAsBoolean()
        ? HealthResult.ok("The server serves clients.")
        : HealthResult.fail("The server is starting or stopping; see its log for the progress.");
  }
}
