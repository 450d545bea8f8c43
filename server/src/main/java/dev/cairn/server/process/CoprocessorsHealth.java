package dev.cairn.server.process;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.regionserver.hooked.AbsentClasses;
import dev.cairn.server.regionserver.hooked.AbsentClasses.Absent;
import java.util.stream.Collectors;

/**
 * Checks for coprocessors that are left out or removed, because they failed.
 *
 * @param absent lists them
 */
record CoprocessorsHealth(AbsentClasses absent) implements HealthCheck {
  @Override
  public String name() {
    return "coprocessors";
  }

  @Override
  public HealthResult check() {
    String lines =
        absent.all().keySet().stream()
            .map(CoprocessorsHealth::sentence)
            .collect(Collectors.joining("\n"));
    return lines.isEmpty()
        ? HealthResult.ok("No coprocessor is left out or removed.")
        : HealthResult.warn(lines);
  }

  private static String sentence(Absent one) {
    return "The coprocessor "
        + one.className()
        + " ("
        + one.source()
        + ") is "
        + one.state()
        + ", "
        + one.place()
        + ": "
        + one.reason();
  }
}
