package dev.cairn.tools.rolling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.master.RegionState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which region servers are decommissioned when they restart. */
class RestartWithoutMovesTest {
  private static final ServerName MASTER = ServerName.valueOf("m", 16000, 1);

  private static final ServerName FIRST = ServerName.valueOf("a", 16020, 1);

  @TempDir private Path folder;
  private final Configuration site = new Configuration(false);
  private final List<ServerName> servers =
      new ArrayList<>(List.of(FIRST, ServerName.valueOf("b", 16020, 1)));
  private final Set<ServerName> decommissioned = new HashSet<>();

  /** By server: whether it was decommissioned when it was restarted. */
  private final Map<String, Boolean> restarted = new HashMap<>();

  /** Why the master refuses to empty the server a. */
  private Optional<String> refusal = Optional.empty();

  private final List<String> lines = new ArrayList<>();

  /** A region server whose host the master rejects could not start again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noServerIsDecommissionedWhenItRestartsIfItsHostWouldBeRejected(boolean rejects)
      throws Exception {
    site.setBoolean("hbase.master.reject.decommissioned.hosts", rejects);
    restart();
    assertThat(restarted).isEqualTo(Map.of("a", !rejects, "b", !rejects));
    assertThat(servers).allMatch(server -> server.getStartCode() == 2);
  }

  @Test
  void aServerWhoseRegionsNoOtherMayHaveRestartsWithThem() throws Exception {
    String reason =
        "No region server is left that may have the regions of [a,16020,1]: b,16020,1 is not in the"
            + " group g of the table t. Nothing was changed";
    refusal = Optional.of(reason + "\n\tat Some.method");
    restart();
    assertThat(restarted).isEqualTo(Map.of("a", false, "b", true));
    assertThat(lines)
        .contains("[1/2] " + reason)
        .contains("[1/2] the regions do not move; clients wait for the restart");
  }

  @Test
  void anotherErrorStopsTheRestart() {
    refusal = Optional.of("No region server a,16020,1 is alive");
    assertThatThrownBy(this::restart).hasMessage(refusal.get());
    assertThat(restarted).isEmpty();
  }

  private void restart() throws IOException, InterruptedException {
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
            lines::add)
        .run();
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
                    if (refusal.isPresent() && arguments[0].equals(List.of(FIRST))) {
                      throw new DoNotRetryIOException(refusal.get());
                    }
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
