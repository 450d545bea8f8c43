package dev.cairn.server.master.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.ddl.CreateTableProcedure;
import dev.cairn.server.master.ddl.ModifyTableProcedure;
import dev.cairn.server.master.ddl.SplitRegionProcedure;
import dev.cairn.server.master.placement.PlacementReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.junit.jupiter.api.Test;

/** Replicas of regions come, move and go with their regions. */
class ReplicasTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();

  private void start(ServerName... servers) throws IOException {
    for (ServerName server : servers) {
      cluster.addServer(server);
    }
    cluster.startUp();
  }

  private void create(int copies, String... splitKeys) {
    List<byte[]> keys = new ArrayList<>();
    for (String key : splitKeys) {
      keys.add(Bytes.utf8(key));
    }
    cluster.run(
        new CreateTableProcedure(
            cluster.active().procedureContext(),
            "user",
            with(TableSchema.of(SimulatedCluster.TABLE, FamilySchema.of("a")), copies),
            keys));
  }

  private void alter(int copies) {
    cluster.run(
        new ModifyTableProcedure(
            cluster.active().procedureContext(),
            "user",
            SimulatedCluster.TABLE,
            present -> with(present, copies)));
  }

  private static TableSchema with(TableSchema schema, int copies) {
    HBaseProtos.TableSchema.Builder message = schema.message().toBuilder();
    List<HBaseProtos.BytesBytesPair> others =
        message.getAttributesList().stream()
            .filter(pair -> !pair.getFirst().toStringUtf8().equals("REGION_REPLICATION"))
            .toList();
    return new TableSchema(
        message
            .clearAttributes()
            .addAllAttributes(others)
            .addAttributes(
                HBaseProtos.BytesBytesPair.newBuilder()
                    .setFirst(Messages.wrap(Bytes.utf8("REGION_REPLICATION")))
                    .setSecond(Messages.wrap(Bytes.utf8(Integer.toString(copies)))))
            .build());
  }

  /** Returns the servers of the copies of each region, by start key and number of the copy. */
  private Map<String, Map<Integer, ServerName>> places() {
    Map<String, Map<Integer, ServerName>> places = new TreeMap<>();
    cluster.servers.hosted.forEach(
        (server, regions) -> {
          for (RegionInfo region : regions.values()) {
            if (region.table().equals(SimulatedCluster.TABLE)) {
              places
                  .computeIfAbsent(Bytes.utf8(region.startKey()), key -> new TreeMap<>())
                  .put(region.replicaId(), server);
            }
          }
        });
    return places;
  }

  private void assertApart(int copies) {
    assertThat(places().values())
        .allSatisfy(
            copy ->
                assertThat(new HashSet<>(copy.values()))
                    .hasSize(copies)
                    .hasSameSizeAs(copy.values()));
  }

  private RegionStateNode primary() {
    return cluster.active().assignments().of(SimulatedCluster.TABLE).iterator().next();
  }

  @Test
  void replicasAreAtDifferentServers() throws IOException {
    start(ONE, TWO, THREE);
    create(3, "b", "c");
    assertThat(places()).hasSize(3);
    assertApart(3);
    assertThat(cluster.active().assignments().of(SimulatedCluster.TABLE)).hasSize(3);
    assertThat(cluster.active().assignments().all())
        .extracting(RegionStateNode::isReplica)
        .containsOnly(false);
    assertThat(cluster.servers.meta.values("info:state_0002")).hasSize(3).containsOnly("OPEN");
    assertThat(cluster.servers.meta.values("info:server_0001")).hasSize(3);
    places()
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
    create(2, "b", "c");
    Map<String, Map<Integer, ServerName>> before = places();
    cluster.killMaster();
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    assertThat(places()).isEqualTo(before);
    assertThat(cluster.active().assignments().replicas())
        .hasSize(3)
        .allMatch(replica -> replica.state() == State.OPEN);
  }

  @Test
  void replicasOfADeadServerOpenElsewhereBeforeItsLogIsRecovered() throws IOException {
    start(ONE, TWO, THREE);
    create(2, "b", "c", "d");
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
    cluster.runUntil(
        () -> cluster.isIdle() && places().values().stream().allMatch(all -> all.size() == 2));
    assertApart(2);
  }

  @Test
  void aReplicaIsBesideItsRegionOnlyUntilAServerComes() throws IOException {
    start(ONE);
    create(2, "b");
    assertThat(places().values()).containsOnly(Map.of(0, ONE, 1, ONE));
    cluster.addServer(TWO);
    cluster.runUntil(() -> cluster.isIdle() && cluster.servers.hosted.get(TWO).size() == 2);
    assertThat(places().values()).containsOnly(Map.of(0, ONE, 1, TWO));

    cluster.killServer(TWO);
    cluster.runUntil(
        () -> cluster.isIdle() && places().values().stream().allMatch(all -> all.size() == 2));
    assertThat(places().values()).containsOnly(Map.of(0, ONE, 1, ONE));
  }

  @Test
  void replicasGoWithTheirTable() throws IOException {
    start(ONE, TWO);
    create(2, "b");
    cluster.run(cluster.setEnabled(false));
    assertThat(places()).isEmpty();
    cluster.run(cluster.setEnabled(true));
    assertApart(2);
    alter(1);
    assertThat(places().values()).allMatch(copies -> copies.size() == 1);
    assertThat(cluster.servers.meta.values("info:state_0001")).isEmpty();
    assertThat(cluster.active().assignments().replicas()).isEmpty();
    alter(2);
    assertApart(2);
  }

  @Test
  void theHalvesOfARegionHaveReplicas() throws IOException {
    start(ONE, TWO);
    create(2);
    cluster.run(
        new SplitRegionProcedure(
            cluster.active().procedureContext(), "user", primary().region(), Bytes.utf8("k")));
    cluster.runUntil(cluster::isIdle);
    assertThat(places().keySet()).containsExactly("", "k");
    assertApart(2);
    assertThat(cluster.active().assignments().replicas()).hasSize(2);
  }

  @Test
  void aReplicaLeavesTheServerThatItsRegionIsMovedTo() throws IOException {
    start(ONE, TWO, THREE);
    create(2);
    RegionStateNode node = primary();
    ServerName other = node.replicas().get(0).openServer().orElseThrow();
    cluster.move(node, other);
    cluster.runUntil(
        () ->
            cluster.isIdle()
                && node.replicas().get(0).openServer().filter(at -> !at.equals(other)).isPresent());
    assertThat(node.openServer()).contains(other);
    assertApart(2);
  }

  @Test
  void aBalancerIsRefusedTheServerOfAReplica() throws IOException {
    start(ONE, TWO, THREE);
    create(2);
    RegionStateNode node = primary();
    ServerName other = node.replicas().get(0).openServer().orElseThrow();
    Assignments assignments = cluster.active().assignments();
    assertThat(
            assignments
                .place(assignments.request(node, PlacementReason.BALANCE).at(other))
                .refused())
        .containsEntry(other, "has another replica of the region");
  }
}
