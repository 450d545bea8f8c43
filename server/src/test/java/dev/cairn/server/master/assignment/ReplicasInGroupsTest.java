package dev.cairn.server.master.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.group.GroupAdmin;
import dev.cairn.server.master.group.GroupSettings;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Replicas stay in the groups of their tables, and apart when a group gets a server. */
class ReplicasInGroupsTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final ReplicatedTable table = new ReplicatedTable(cluster);

  private GroupAdmin start() throws IOException {
    cluster.groups = new GroupSettings(true, () -> false);
    for (ServerName server : new ServerName[] {ONE, TWO, THREE}) {
      cluster.addServer(server);
    }
    cluster.startUp();
    GroupAdmin groups = cluster.active().groups();
    cluster.runUntil(groups.groups()::isLoaded);
    table.change(done -> groups.add("a", done));
    return groups;
  }

  @Test
  void aReplicaLeavesAServerThatLeavesItsGroup() throws IOException {
    GroupAdmin groups = start();
    table.create(2, "b", "c");
    ServerName left = table.primary().replicas().get(0).openServer().orElseThrow();
    table.change(done -> groups.moveServers(Set.of(Address.of(left)), "a", done));
    assertThat(table.places().values())
        .allSatisfy(copies -> assertThat(copies.values()).doesNotContain(left));
    table.assertApart(2);
  }

  @Test
  void replicasComeApartWhenAServerJoinsTheirGroup() throws IOException {
    GroupAdmin groups = start();
    table.change(done -> groups.moveServers(Set.of(Address.of(TWO), Address.of(THREE)), "a", done));
    table.create(2, "b");
    assertThat(table.places().values()).containsOnly(Map.of(0, ONE, 1, ONE));
    table.change(done -> groups.moveServers(Set.of(Address.of(TWO)), "default", done));
    cluster.runUntil(() -> cluster.isIdle() && table.isApart(2));
    assertThat(table.places().values()).containsOnly(Map.of(0, ONE, 1, TWO));
  }
}
