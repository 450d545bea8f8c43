package dev.cairn.server.process;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.master.Master;
import dev.cairn.server.regionserver.HostedRegion;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Checks for tables and regions that are refused, because they need an unsupported feature or have
 * a damaged file.
 *
 * @param open returns the regions that are open here
 * @param master knows the tables with an unreadable descriptor, also disabled ones
 */
record TablesHealth(Supplier<Collection<HostedRegion>> open, Master master) implements HealthCheck {
  @Override
  public String name() {
    return "tables";
  }

  @Override
  public HealthResult check() throws IOException {
    List<String> reasons =
        Stream.concat(
                open.get().stream().flatMap(region -> region.upkeep().refusal().stream()),
                master.damagedTables().stream())
            .distinct()
            .sorted()
            .toList();
    return reasons.isEmpty()
        ? HealthResult.ok("No table is refused.")
        : HealthResult.warn(String.join("\n", reasons));
  }
}
