package dev.cairn.server.process;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.regionserver.HostedRegion;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * Checks for tables and regions that are refused, because they need an unsupported feature or have
 * a damaged file.
 *
 * @param open returns the regions that are open here
 */
record TablesHealth(Supplier<Collection<HostedRegion>> open) implements HealthCheck {
  @Override
  public String name() {
    return "tables";
  }

  @Override
  public HealthResult check() {
    List<String> reasons =
        open.get().stream()
            .flatMap(region -> region.upkeep().refusal().stream())
            .distinct()
            .sorted()
            .toList();
    return reasons.isEmpty()
        ? HealthResult.ok("No table is refused.")
        : HealthResult.warn(String.join("\n", reasons));
  }
}
