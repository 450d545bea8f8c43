package dev.cairn.server.master.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.group.GroupAdmin;
import dev.cairn.server.master.group.GroupSettings;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ClearDeadServersRequest;
import org.junit.jupiter.api.Test;

/** An administrator clears dead servers. */
class ClusterMethodsTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName UNKNOWN = new ServerName("unknown", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();

  /** Returns the servers that are kept. */
  private List<ServerName> clear() {
    ClearDeadServersRequest request =
        ClearDeadServersRequest.newBuilder()
            .addServerName(ONE.message())
            .addServerName(TWO.message())
            .addServerName(UNKNOWN.message())
            .build();
    return ClusterMethods.clearDead(cluster.active(), request).getServerNameList().stream()
        .map(ServerName::of)
        .toList();
  }

  private boolean isInGroup() {
    try {
      return groups().of(Address.of(TWO)).filter(group -> group.name().equals("g")).isPresent();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private GroupAdmin groups() {
    return cluster.active().groups();
  }

  @Test
  void serversThatLiveOrAreNotRecoveredStayAlsoInTheirGroups() throws IOException {
    cluster.groups = new GroupSettings(true, () -> false);
    cluster.addServer(ONE);
    cluster.addServer(TWO);
    cluster.startUp();
    cluster.runUntil(() -> cluster.isIdle() && groups().groups().isLoaded());
    groups().add("g", Completion.of(() -> {}, cause -> {}));
    groups().moveServers(Set.of(Address.of(TWO)), "g", Completion.of(() -> {}, cause -> {}));
    cluster.runUntil(this::isInGroup);

    cluster.killServer(TWO);
    cluster.runUntil(() -> cluster.active().servers().isDead(TWO));
    assertThat(clear()).containsExactly(ONE, TWO);
    cluster.runUntil(() -> cluster.active().members().isRecovered());
    assertThat(isInGroup()).isTrue();

    assertThat(clear()).containsExactly(ONE);
    cluster.runUntil(() -> !isInGroup());
  }
}
