package dev.cairn.tools.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.master.RegionState;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A region server whose host a master rejects could not start again. */
class RejectedHostsTest {
  private static final ServerName MASTER = ServerName.valueOf("m", 16000, 1);

  @TempDir private Path folder;
  private final Configuration site = new Configuration(false);
  private final List<ServerName> servers =
      new ArrayList<>(
          List.of(ServerName.valueOf("a", 16020, 1), ServerName.valueOf("b", 16020, 1)));
  private final Set<ServerName> decommissioned = new HashSet<>();

  /** By server: whether it was decommissioned when it was restarted. */
  private final Map<String, Boolean> restarted = new HashMap<>();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noServerIsDecommissionedWhenItRestartsIfItsHostWouldBeRejected(boolean rejects)
      throws Exception {
    site.setBoolean("hbase.master.reject.decommissioned.hosts", rejects);
    new RollingRestart(
            admin(),
            (server, isMaster) -> restart(server),
            new RollingRestart.Settings(
                false,
                true,
                name -> true,
                true,
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                folder.resolve("state")),
            line -> {})
        .run();
    assertThat(restarted).isEqualTo(Map.of("a", !rejects, "b", !rejects));
    assertThat(servers).allMatch(server -> server.getStartCode() == 2);
  }

  private void restart(ServerName server) {
    restarted.put(server.getHostname(), decommissioned.contains(server));
    servers.remove(server);
    servers.add(ServerName.valueOf(server.getHostname(), server.getPort(), 2));
  }

  @SuppressWarnings("unchecked")
  private Admin admin() {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getConfiguration" -> site;
                  case "isBalancerEnabled", "balancerSwitch" -> true;
                  case "getRegions", "listTableDescriptors" -> List.of();
                  case "getRegionServers" -> List.copyOf(servers);
                  case "listDecommissionedRegionServers" -> List.copyOf(decommissioned);
                  case "decommissionRegionServers" -> {
                    decommissioned.addAll((Collection<ServerName>) arguments[0]);
                    yield null;
                  }
                  case "recommissionRegionServer" -> {
                    decommissioned.remove((ServerName) arguments[0]);
                    yield null;
                  }
                  case "getClusterMetrics" ->
                      ClusterMetricsBuilder.newBuilder()
                          .setMasterName(MASTER)
                          .setBackerMasterNames(List.of())
                          .setDeadServerNames(List.of())
                          .setServerNames(List.copyOf(servers))
                          .setRegionsInTransition(new ArrayList<RegionState>())
                          .build();
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }
}
