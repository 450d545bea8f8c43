package dev.cairn.server.process;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import java.util.function.BooleanSupplier;

/**
 * Checks that the server serves clients, or would if the active master ended.
 *
 * @param serving whether the start is complete and nothing has ended since
 * @param standby whether the process is a backup master
 */
record ServingHealth(BooleanSupplier serving, BooleanSupplier standby) implements HealthCheck {
  @Override
  public String name() {
    return "server";
  }

  @Override
  public HealthResult check() {
    if (serving.getAsBoolean()) {
      return HealthResult.ok("The server serves clients.");
    }
    return standby.getAsBoolean()
        ? HealthResult.ok(CairnProcess.STANDBY)
        : HealthResult.fail("The server is starting or stopping; see its log for the progress.");
  }
}
