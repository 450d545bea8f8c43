package dev.cairn.server.process;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;

/**
 * Checks for tables and regions that are refused, because they need an unsupported feature or have
 * a damaged file. A master knows the tables with an unreadable descriptor, also disabled ones.
 *
 * @param servers the servers of the process
 */
record TablesHealth(List<HostedServer> servers) implements HealthCheck {
  @Override
  public String name() {
    return "tables";
  }

  @Override
  public HealthResult check() throws IOException {
    TreeSet<String> reasons = new TreeSet<>();
    for (HostedServer server : servers) {
      reasons.addAll(server.refusedTables());
    }
    return reasons.isEmpty()
        ? HealthResult.ok("No table is refused.")
        : HealthResult.warn(String.join("\n", reasons));
  }
}
