package dev.cairn.server.master.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.ddl.SplitRegionProcedure;
import dev.cairn.server.master.draining.DrainingServers;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.ReplicasApart;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.junit.jupiter.api.Test;

/** Replicas of regions come, move and go with their regions. */
class ReplicasTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final ReplicatedTable table = new ReplicatedTable(cluster);

  private void start(ServerName... servers) throws IOException {
    for (ServerName server : servers) {
      cluster.addServer(server);
    }
    cluster.startUp();
  }

  @Test
  void replicasAreAtDifferentServers() throws IOException {
    start(ONE, TWO, THREE);
    table.create(3, "b", "c");
    assertThat(table.places()).hasSize(3);
    table.assertApart(3);
    assertThat(cluster.active().assignments().of(SimulatedCluster.TABLE)).hasSize(3);
    assertThat(cluster.active().assignments().all())
        .extracting(RegionStateNode::isReplica)
        .containsOnly(false);
    assertThat(cluster.servers.meta.values("info:state_0002")).hasSize(3).containsOnly("OPEN");
    assertThat(cluster.servers.meta.values("info:server_0001")).hasSize(3);
    table
        .places()
        .get("")
        .forEach(
            (id, server) ->
                assertThat(
                        cluster.servers.meta.values(
                            id == 0 ? "info:sn" : "info:sn_%04X".formatted(id)))
                    .contains(server.toString()));
  }

  @Test
  void theNextMasterLeavesReplicasWhereTheyAre() throws IOException {
    start(ONE, TWO, THREE);
    table.create(2, "b", "c");
    Map<String, Map<Integer, ServerName>> before = table.places();
    cluster.killMaster();
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    assertThat(table.places()).isEqualTo(before);
    assertThat(cluster.active().assignments().replicas())
        .hasSize(3)
        .allMatch(replica -> replica.state() == State.OPEN);
  }

  @Test
  void replicasOfADeadServerOpenElsewhereBeforeItsLogIsRecovered() throws IOException {
    start(ONE, TWO, THREE);
    table.create(2, "b", "c", "d");
    cluster.split =
        (kind, parts) -> {
          throw new IOException("not yet");
        };
    cluster.killServer(TWO);
    cluster.runUntil(
        () ->
            cluster.active().assignments().replicas().stream()
                .allMatch(replica -> replica.openServer().isPresent() && !replica.isAt(TWO)));
    assertThat(cluster.recovered).isEmpty();
    // Clients look for a replica only if they find a server of the region.
    assertThat(cluster.servers.meta.values("info:server")).doesNotContain("");
    cluster.split = (kind, parts) -> parts.read(kind, java.util.Set.of());
    cluster.runUntil(() -> cluster.isIdle() && table.isApart(2));
  }

  @Test
  void aReplicaIsBesideItsRegionOnlyUntilAServerComes() throws IOException {
    start(ONE);
    table.create(2, "b");
    assertThat(table.places().values()).containsOnly(Map.of(0, ONE, 1, ONE));
    cluster.addServer(TWO);
    cluster.runUntil(() -> cluster.isIdle() && cluster.servers.hosted.get(TWO).size() == 2);
    assertThat(table.places().values()).containsOnly(Map.of(0, ONE, 1, TWO));

    cluster.killServer(TWO);
    cluster.runUntil(
        () ->
            cluster.isIdle() && table.places().values().stream().allMatch(all -> all.size() == 2));
    assertThat(table.places().values()).containsOnly(Map.of(0, ONE, 1, ONE));
  }

  @Test
  void aReplicaLeavesAnotherOneThatOpensBesideIt() throws IOException {
    start(ONE, TWO);
    table.create(3);
    List<RegionStateNode> replicas = table.primary().replicas();
    RegionStateNode second = replicas.get(1);
    ServerName home = replicas.get(0).openServer().orElseThrow();
    if (!second.isAt(home)) {
      cluster.move(second, home);
      cluster.runUntil(
          () -> cluster.isIdle() && second.openServer().filter(home::equals).isPresent());
    }
    // It is opened again there, since no server is free.
    cluster
        .active()
        .assignments()
        .failedOpen(
            home, replicas.get(0).region(), Optional.empty(), Optional.empty(), Completion.UNHEARD);
    cluster.runUntil(() -> replicas.get(0).state() == State.OPENING);
    cluster.addServer(THREE);
    cluster.runUntil(() -> cluster.active().assignments().servers().isReady(THREE));
    assertThat(replicas.get(0).state()).isEqualTo(State.OPENING);
    cluster.runUntil(() -> cluster.isIdle() && table.isApart(3));
  }

  @Test
  void aReplicaGoesWhereAnotherOneIsNotNeededAnyMore() throws IOException {
    start(ONE, TWO);
    table.create(3);
    RegionStateNode node = table.primary();
    ServerName home = node.openServer().orElseThrow();
    ServerName other = home.equals(ONE) ? TWO : ONE;
    move(node.replicas().get(1), other);
    move(node.replicas().get(0), home); // The other server has the second replica.
    table.alter(2);
    cluster.runUntil(() -> cluster.isIdle() && table.isApart(2));
  }

  @Test
  void replicasGoWithTheirTable() throws IOException {
    start(ONE, TWO);
    table.create(2, "b");
    cluster.run(cluster.setEnabled(false));
    assertThat(table.places()).isEmpty();
    cluster.run(cluster.setEnabled(true));
    table.assertApart(2);
    table.alter(1);
    assertThat(table.places().values()).allMatch(copies -> copies.size() == 1);
    assertThat(cluster.servers.meta.values("info:state_0001")).isEmpty();
    assertThat(cluster.active().assignments().replicas()).isEmpty();
    table.alter(2);
    table.assertApart(2);
  }

  @Test
  void theHalvesOfARegionHaveReplicas() throws IOException {
    start(ONE, TWO);
    table.create(2);
    cluster.run(
        new SplitRegionProcedure(
            cluster.active().procedureContext(),
            "user",
            table.primary().region(),
            Bytes.utf8("k")));
    cluster.runUntil(cluster::isIdle);
    assertThat(table.places().keySet()).containsExactly("", "k");
    table.assertApart(2);
    assertThat(cluster.active().assignments().replicas()).hasSize(2);
  }

  @Test
  void aReplicaLeavesTheServerThatItsRegionIsMovedTo() throws IOException {
    start(ONE, TWO, THREE);
    table.create(2);
    RegionStateNode node = table.primary();
    ServerName other = node.replicas().get(0).openServer().orElseThrow();
    cluster.move(node, other);
    cluster.runUntil(
        () ->
            cluster.isIdle()
                && node.replicas().get(0).openServer().filter(at -> !at.equals(other)).isPresent());
    assertThat(node.openServer()).contains(other);
    table.assertApart(2);
  }

  @Test
  void aBalancerIsRefusedTheServerOfAReplica() throws IOException {
    start(ONE, TWO, THREE);
    table.create(2);
    RegionStateNode node = table.primary();
    ServerName other = node.replicas().get(0).openServer().orElseThrow();
    Assignments assignments = cluster.active().assignments();
    assertThat(
            assignments
                .place(assignments.request(node, PlacementReason.BALANCE).at(other))
                .refused())
        .containsEntry(other, "has another replica of the region");
  }

  @Test
  void withoutTheRuleABalancerGetsTheServerOfAReplica() throws IOException {
    cluster.placementRulesInForce = rule -> !(rule instanceof ReplicasApart);
    start(ONE, TWO, THREE);
    table.create(2);
    RegionStateNode node = table.primary();
    ServerName other = node.replicas().get(0).openServer().orElseThrow();
    Assignments assignments = cluster.active().assignments();
    assertThat(
            assignments
                .place(assignments.request(node, PlacementReason.BALANCE).at(other))
                .server())
        .contains(other);
  }

  @Test
  void replicasComeApartWhenADrainingEnds() throws IOException {
    cluster.delayMarks();
    start(ONE, TWO);
    DrainingServers draining = cluster.active().draining();
    table.change(done -> draining.drain(List.of(TWO), false, done));
    table.create(2, "b");
    assertThat(table.places().values()).containsOnly(Map.of(0, ONE, 1, ONE));
    table.change(done -> draining.restore(TWO, done));
    cluster.runUntil(() -> cluster.isIdle() && table.isApart(2));
    assertThat(table.places().values()).containsOnly(Map.of(0, ONE, 1, TWO));
  }

  private void move(RegionStateNode replica, ServerName target) {
    if (!replica.isAt(target)) {
      cluster.move(replica, target);
      cluster.runUntil(
          () -> cluster.isIdle() && replica.openServer().filter(target::equals).isPresent());
    }
  }
}
