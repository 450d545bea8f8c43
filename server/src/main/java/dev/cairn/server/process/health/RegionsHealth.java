package dev.cairn.server.process.health;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.master.Master;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Checks that all regions that should be open are open. A region may be closed temporarily.
 *
 * @param master knows all regions
 */
public record RegionsHealth(Master master) implements HealthCheck {
  private static final int NAMED_MAX = 3;

  @Override
  public String name() {
    return "regions";
  }

  @Override
  public HealthResult check() throws IOException {
    return result(master.regionsNotOpen());
  }

  public static HealthResult result(List<RegionInfo> notOpen) {
    if (notOpen.isEmpty()) {
      return HealthResult.ok("All regions are open.");
    }
    String names =
        notOpen.stream()
            .limit(NAMED_MAX)
            .map(RegionInfo::regionNameAsString)
            .collect(Collectors.joining(" "));
    String message =
        notOpen.size()
            + (notOpen.size() == 1 ? " region is" : " regions are")
            + " not open: "
            + names
            + (notOpen.size() > NAMED_MAX ? " …" : "")
            + " If this persists, see the log for the cause.";
    return notOpen.stream().anyMatch(region -> region.table().isMeta())
        ? HealthResult.fail(message)
        : HealthResult.warn(message);
  }
}
