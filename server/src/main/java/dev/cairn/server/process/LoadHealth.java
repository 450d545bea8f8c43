package dev.cairn.server.process;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import java.util.List;

/**
 * Warns of regions whose load a split cannot spread, as with one hot row.
 *
 * @param servers the region servers
 */
record LoadHealth(List<HostedServer> servers) implements HealthCheck {
  private static final int NAMED_MAX = 3;

  @Override
  public String name() {
    return "load";
  }

  @Override
  public HealthResult check() {
    return result(servers.stream().flatMap(server -> server.loadNotices().stream()).toList());
  }

  static HealthResult result(List<String> notices) {
    if (notices.isEmpty()) {
      return HealthResult.ok("A split can spread the load of each hot region.");
    }
    String named = String.join("\n", notices.subList(0, Math.min(NAMED_MAX, notices.size())));
    int more = notices.size() - NAMED_MAX;
    return HealthResult.warn(more > 0 ? named + "\nAnd " + more + " more." : named);
  }
}
