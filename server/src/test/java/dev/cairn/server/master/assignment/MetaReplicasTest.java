package dev.cairn.server.master.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.ddl.ModifyTableProcedure;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.junit.jupiter.api.Test;

/** Replicas of {@code hbase:meta} come, move and go as its descriptor says. */
class MetaReplicasTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();

  private void start(ServerName... servers) throws IOException {
    for (ServerName server : servers) {
      cluster.addServer(server);
    }
    cluster.startUp();
    rest();
  }

  private void rest() {
    cluster.runUntil(() -> cluster.isIdle() && isSettled());
  }

  /** Tells whether all copies are open, once each. */
  private boolean isSettled() {
    return cluster.active().assignments().replicas().stream()
            .noneMatch(RegionStateNode::isInTransition)
        && places().size() == copies()
        && places().values().stream().allMatch(servers -> servers.size() == 1);
  }

  private int copies() {
    return cluster
        .active()
        .tables()
        .find(TableName.META)
        .orElseThrow()
        .schema()
        .regionReplication();
  }

  /** Returns the servers of each copy of {@code hbase:meta}. */
  private Map<Integer, List<ServerName>> places() {
    Map<Integer, List<ServerName>> places = new TreeMap<>();
    cluster.servers.hosted.forEach(
        (server, regions) -> {
          for (RegionInfo region : regions.values()) {
            if (region.table().isMeta()) {
              places.computeIfAbsent(region.replicaId(), id -> new ArrayList<>()).add(server);
            }
          }
        });
    return places;
  }

  /** Returns the server of each copy of {@code hbase:meta}, each of which is open once. */
  private Map<Integer, ServerName> place() {
    Map<Integer, ServerName> place = new TreeMap<>();
    places()
        .forEach(
            (id, servers) -> {
              assertThat(servers).hasSize(1);
              place.put(id, servers.get(0));
            });
    return place;
  }

  /** Checks that the servers, ZooKeeper and the master agree on the replicas. */
  private void assertPublished(int copies) {
    Map<Integer, ServerName> replicas = place();
    assertThat(replicas).containsOnlyKeys(ids(copies));
    replicas.remove(0);
    assertThat(cluster.publishedMetaReplicas()).isEqualTo(replicas);
    assertThat(node().replicas())
        .hasSize(copies - 1)
        .allMatch(replica -> replica.state() == State.OPEN);
  }

  private static Integer[] ids(int copies) {
    Integer[] ids = new Integer[copies];
    for (int id = 0; id < copies; id++) {
      ids[id] = id;
    }
    return ids;
  }

  private void assertApart() {
    assertThat(new HashSet<>(place().values())).hasSameSizeAs(place().values());
  }

  private RegionStateNode node() {
    return cluster.active().assignments().find(RegionInfo.META.encodedName()).orElseThrow();
  }

  private ModifyTableProcedure change(ModifyTableProcedure.Change change) {
    return new ModifyTableProcedure(
        cluster.active().procedureContext(), "user", TableName.META, change);
  }

  private void alter(int copies) {
    cluster.run(change(meta -> MetaFormat.withCopies(meta, copies)));
  }

  @Test
  void withoutTheKeyThereAreNone() throws IOException {
    start(ONE, TWO);
    assertPublished(1);
    assertThat(
            new TableFiles(cluster.storage)
                .descriptors()
                .require(TableName.META)
                .attribute("REGION_REPLICATION"))
        .isEmpty();
  }

  @Test
  void theyAreAtDifferentServersAndInNoRow() throws IOException {
    cluster.metaReplicas = OptionalInt.of(3);
    start(ONE, TWO, THREE);
    assertPublished(3);
    assertApart();
    assertThat(cluster.metaRows()).noneMatch(row -> row.startsWith("hbase:meta"));
    assertThat(cluster.active().assignments().of(TableName.META)).hasSize(1);
  }

  @Test
  void anAlterOpensAndClosesThem() throws IOException {
    start(ONE, TWO, THREE);
    alter(3);
    assertPublished(3);
    assertApart();
    alter(2);
    assertPublished(2);
    alter(1);
    assertPublished(1);
    assertThat(cluster.active().assignments().replicas()).isEmpty();
  }

  @Test
  void nothingElseOfTheDescriptorCanBeChanged() throws IOException {
    start(ONE);
    TableSchema before = cluster.active().tables().require(TableName.META).schema();
    assertThatThrownBy(
            () ->
                cluster.run(
                    change(meta -> MetaFormat.withCopies(meta, 2).with("DURABILITY", "SKIP_WAL"))))
        .hasMessageContaining("Only REGION_REPLICATION of the descriptor of hbase:meta");
    assertThatThrownBy(() -> cluster.run(change(ModifyTableProcedure.delete("info".getBytes()))))
        .hasMessageContaining("Only REGION_REPLICATION of the descriptor of hbase:meta");
    assertThatThrownBy(() -> alter(0)).hasMessageContaining("should be at least one");
    assertThat(cluster.active().tables().require(TableName.META).schema()).isSameAs(before);
    assertPublished(1);
  }

  @Test
  void theKeyReplacesTheDescriptorsNumberWhenAMasterBegins() throws IOException {
    start(ONE, TWO, THREE);
    alter(3);
    cluster.killMaster();
    cluster.startUp();
    rest();
    assertPublished(3);
    cluster.killMaster();
    cluster.metaReplicas = OptionalInt.of(2);
    cluster.startUp();
    cluster.runUntil(() -> copies() == 2);
    rest();
    assertPublished(2);
    cluster.killMaster();
    cluster.metaReplicas = OptionalInt.empty();
    cluster.startUp();
    rest();
    assertPublished(2);
  }

  @Test
  void theNextMasterLeavesThemWhereTheyAre() throws IOException {
    cluster.metaReplicas = OptionalInt.of(2);
    start(ONE, TWO, THREE);
    ServerName free =
        cluster.servers.hosted.keySet().stream()
            .filter(server -> !place().containsValue(server))
            .findFirst()
            .orElseThrow();
    cluster.move(node().replicas().get(0), free);
    cluster.runUntil(() -> free.equals(cluster.publishedMetaReplicas().get(1)));
    rest();
    Map<Integer, ServerName> before = place();
    cluster.killMaster();
    cluster.startUp();
    rest();
    assertThat(place()).isEqualTo(before);
    assertPublished(2);
  }

  @Test
  void theReplicaOfADeadServerOpensElsewhere() throws IOException {
    cluster.metaReplicas = OptionalInt.of(2);
    start(ONE, TWO, THREE);
    ServerName dead = place().get(1);
    cluster.killServer(dead);
    cluster.runUntil(() -> !dead.equals(cluster.publishedMetaReplicas().get(1)));
    rest();
    assertPublished(2);
    assertApart();
  }

  @Test
  void theReplicaStaysWhenTheServerOfMetaDies() throws IOException {
    cluster.metaReplicas = OptionalInt.of(2);
    start(ONE, TWO, THREE);
    Map<Integer, ServerName> before = place();
    cluster.split =
        (kind, parts) -> {
          throw new IOException("not yet");
        };
    cluster.killServer(before.get(0));
    cluster.runUntil(() -> node().state() == State.ABNORMALLY_CLOSED);
    cluster.addServer(new ServerName("four", 16020, 1)); // Drives all regions.
    cluster.letTimePass(Duration.ofSeconds(10));
    cluster.split = (kind, parts) -> parts.read(kind, Set.of());
    cluster.runUntil(() -> places().containsKey(0));
    rest();
    assertThat(place().get(1)).isEqualTo(before.get(1));
    assertThat(place().get(0)).isNotEqualTo(before.get(1));
    assertPublished(2);
    assertThat(cluster.metaRows()).noneMatch(row -> row.startsWith("hbase:meta"));
  }

  @Test
  void aReplicaIsBesideMetaOnlyUntilAServerComes() throws IOException {
    cluster.metaReplicas = OptionalInt.of(2);
    start(ONE);
    assertThat(place()).isEqualTo(Map.of(0, ONE, 1, ONE));
    cluster.addServer(TWO);
    cluster.runUntil(() -> TWO.equals(cluster.publishedMetaReplicas().get(1)));
    rest();
    assertPublished(2);
    assertApart();
  }

  @Test
  void aReplicaLeavesADrainingServer() throws IOException {
    cluster.metaReplicas = OptionalInt.of(2);
    start(ONE, TWO, THREE);
    ServerName from = place().get(1);
    cluster
        .active()
        .draining()
        .drain(
            List.of(from),
            true,
            Completion.of(() -> cluster.active().offload().look(), cause -> {}));
    cluster.runUntil(() -> !from.equals(cluster.publishedMetaReplicas().get(1)));
    rest();
    assertPublished(2);
    assertApart();
  }

  @Test
  void aFailedPublicationIsRepeated() throws IOException {
    start(ONE, TWO, THREE);
    cluster.failMetaPublications(3);
    alter(3);
    assertPublished(3);
    cluster.failMetaPublications(3);
    alter(1);
    assertPublished(1);
  }

  @Test
  void theyComeToRestAfterRandomEvents() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    try {
      start(ONE, TWO, THREE);
      int copies = 1;
      int servers = 3;
      for (int i = 0; i < 60; i++) {
        List<ServerName> live = new ArrayList<>(cluster.servers.hosted.keySet());
        switch (random.nextInt(5)) {
          case 0 -> {
            copies = 1 + random.nextInt(4);
            int wanted = copies;
            cluster.submit(change(meta -> MetaFormat.withCopies(meta, wanted)));
          }
          case 1 -> {
            if (live.size() > 2) {
              cluster.killServer(live.get(random.nextInt(live.size())));
            }
          }
          case 2 -> cluster.addServer(new ServerName("more" + servers++, 16020, 1));
          case 3 -> cluster.failMetaPublications(random.nextInt(3));
          default -> {
            // Changes that were accepted and not stored are lost with the master.
            rest();
            cluster.runUntil(() -> cluster.active().procedures().locks().isEmpty());
            copies = copies();
            cluster.submit(change(meta -> MetaFormat.withCopies(meta, 1 + random.nextInt(4))));
            for (int step = random.nextInt(40); step > 0; step--) {
              cluster.step();
            }
            cluster.killMaster();
            cluster.startUp();
          }
        }
        for (int step = random.nextInt(60); step > 0; step--) {
          cluster.step();
        }
        if (random.nextInt(3) == 0) {
          rest();
          assertPublished(copies());
        }
      }
      rest();
      cluster.runUntil(() -> cluster.isIdle() && isSettled() && isApart());
      assertPublished(copies());
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  private boolean isApart() {
    int distinct = new HashSet<>(place().values()).size();
    return distinct == Math.min(place().size(), cluster.servers.hosted.size());
  }
}
