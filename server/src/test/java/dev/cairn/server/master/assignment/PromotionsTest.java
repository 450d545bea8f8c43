package dev.cairn.server.master.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.loop.Lane;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.junit.jupiter.api.Test;

/** The server of a replica takes a region over from its dead server. */
class PromotionsTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);
  private static final ServerName FOUR = new ServerName("four", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final ReplicatedTable table = new ReplicatedTable(cluster);

  /** Creates a table with one region. Its log cannot be split before {@link #recover}. */
  private RegionStateNode create(int copies) throws IOException {
    for (ServerName server : List.of(ONE, TWO, THREE, FOUR)) {
      cluster.addServer(server);
    }
    cluster.startUp();
    table.create(copies);
    cluster.split =
        (kind, parts) -> {
          throw new IOException("not yet");
        };
    return table.primary();
  }

  private void recover() {
    cluster.split = (kind, parts) -> parts.read(kind, Set.of());
    cluster.runUntil(
        () ->
            cluster.isIdle()
                && table.primary().openServer().isPresent()
                && table.primary().replicas().stream().allMatch(PromotionsTest::isOpen));
  }

  private static boolean isOpen(RegionStateNode node) {
    return node.openServer().isPresent();
  }

  private static ServerName server(RegionStateNode node) {
    return node.openServer().orElseThrow();
  }

  private void killAndAwaitHeir(ServerName dead) {
    cluster.killServer(dead);
    cluster.runUntil(() -> table.primary().successor().isPresent());
  }

  /** Returns the servers that {@code hbase:meta} names to clients, of all regions. */
  private List<String> named() {
    return cluster.servers.meta.values("info:server");
  }

  @Test
  void theServerOfAReplicaTakesOver() throws IOException {
    RegionStateNode region = create(2);
    ServerName replica = server(region.replicas().get(0));
    killAndAwaitHeir(server(region));

    // Before the log is recovered, clients are sent there, and the files are open there.
    assertThat(region.successor()).contains(replica);
    String name = region.region().encodedName();
    cluster.runUntil(
        () -> cluster.servers.warmUps.containsKey(name) && named().contains(replica.hostAndPort()));
    assertThat(cluster.servers.warmUps).containsEntry(name, replica);
    assertThat(region.state()).isEqualTo(State.ABNORMALLY_CLOSED);
    assertThat(server(region.replicas().get(0))).isEqualTo(replica);

    recover();
    assertThat(server(region)).isEqualTo(replica);
    assertThat(region.placed().orElseThrow().reason()).isEqualTo("a replica of it was there");
  }

  @Test
  void theReplicaStaysUntilTheRegionIsOpen() throws IOException {
    RegionStateNode region = create(2);
    RegionStateNode replica = region.replicas().get(0);
    ServerName successor = server(replica);
    killAndAwaitHeir(server(region));
    cluster.split = (kind, parts) -> parts.read(kind, Set.of());
    cluster.runUntil(
        () -> {
          if (!isOpen(region)) {
            assertThat(replica.openServer()).contains(successor);
          }
          return isOpen(region) && isOpen(replica) && !replica.isAt(successor);
        });
    assertThat(server(region)).isEqualTo(successor);
  }

  @Test
  void theReplicaWithMostOfTheChangesIsChosen() throws IOException {
    RegionStateNode region = create(3);
    for (RegionStateNode replica : region.replicas()) {
      report(replica, replica.region().replicaId() * 100L);
    }
    ServerName newest = server(region.replicas().get(1));
    killAndAwaitHeir(server(region));
    assertThat(region.successor()).contains(newest);
  }

  private void report(RegionStateNode replica, long sequence) {
    ServerLoad load =
        ServerLoad.newBuilder()
            .addRegionLoads(
                RegionLoad.newBuilder()
                    .setRegionSpecifier(Messages.specifier(replica.region()))
                    .setCompleteSequenceId(sequence))
            .build();
    cluster.active().members().reported(server(replica), Optional.of(load), Duration.ZERO);
  }

  @Test
  void anotherServerTakesOverIfTheChosenOneIsKilled() throws IOException {
    RegionStateNode region = create(3);
    killAndAwaitHeir(server(region));
    ServerName first = region.successor().orElseThrow();
    ServerName other =
        region.replicas().stream()
            .map(PromotionsTest::server)
            .filter(server -> !server.equals(first))
            .findFirst()
            .orElseThrow();
    // The replica of the first one does not open again soon, which would let the master choose.
    region
        .replicas()
        .forEach(replica -> cluster.servers.failingOpens.put(replica.region().encodedName(), 100));
    cluster.killServer(first);
    cluster.runUntil(() -> region.successor().filter(other::equals).isPresent());
    cluster.servers.failingOpens.clear();
    recover();
    assertThat(server(region)).isEqualTo(other);
  }

  @Test
  void theChosenServerIsKilledWhileItOpensTheRegion() throws IOException {
    RegionStateNode region = create(2);
    killAndAwaitHeir(server(region));
    ServerName successor = region.successor().orElseThrow();
    cluster.servers.silent.add(successor);
    cluster.split = (kind, parts) -> parts.read(kind, Set.of());
    cluster.runUntil(() -> region.state() == State.OPENING && region.isAt(successor));
    cluster.killServer(successor);
    recover();
    assertThat(server(region)).isNotEqualTo(successor);
  }

  @Test
  void theReplicasNextServerTakesOverIfBothServersAreKilled() throws IOException {
    RegionStateNode region = create(2);
    RegionStateNode replica = region.replicas().get(0);
    ServerName first = server(region);
    ServerName second = server(replica);
    cluster.killServer(second);
    cluster.killServer(first);
    cluster.runUntil(() -> isOpen(replica) && region.successor().isPresent());
    assertThat(region.successor()).contains(server(replica)).get().isNotIn(first, second);
    recover();
  }

  @Test
  void noServerIsNamedWhileNoCopyIsOpen() throws IOException {
    RegionStateNode region = create(2);
    RegionStateNode replica = region.replicas().get(0);
    cluster.servers.failingOpens.put(replica.region().encodedName(), 4);
    ServerName first = server(region);
    cluster.killServer(server(replica));
    cluster.runUntil(() -> replica.openServer().isEmpty());
    cluster.killServer(first);
    cluster.runUntil(() -> named().contains(""));
    cluster.runUntil(() -> region.successor().isPresent());
    cluster.runUntil(() -> !named().contains(""));
    recover();
  }

  @Test
  void theChosenServerIsNotNamedOnceItIsGone() throws IOException {
    RegionStateNode region = create(2);
    RegionStateNode replica = region.replicas().get(0);
    ServerName successor = server(replica);
    killAndAwaitHeir(server(region));
    cluster.runUntil(() -> named().contains(successor.hostAndPort()));
    cluster.servers.failingOpens.put(replica.region().encodedName(), 100);
    cluster.killServer(successor);
    cluster.runUntil(() -> named().contains(""));
    cluster.servers.failingOpens.clear();
    recover();
  }

  @Test
  void aRegionThatWasToMoveOpensWhereClientsWereSent() throws IOException {
    cluster.members = cluster.members.warmingUp(Duration.ofMinutes(1));
    RegionStateNode region = create(2);
    ServerName replica = server(region.replicas().get(0));
    ServerName before = server(region);
    ServerName target =
        List.of(ONE, TWO, THREE, FOUR).stream()
            .filter(server -> !server.equals(replica) && !server.equals(before))
            .findFirst()
            .orElseThrow();
    cluster.lanes.held = Optional.of(Lane.warmUps(target));
    cluster.move(region, target);
    killAndAwaitHeir(before);
    cluster.lanes.held = Optional.empty();
    recover();
    assertThat(region.placed().orElseThrow().reason()).isEqualTo("a replica of it was there");
  }

  @Test
  void theNextMasterOpensARecoveredRegionWhereClientsWereSent() throws IOException {
    RegionStateNode region = create(2);
    ServerName replica = server(region.replicas().get(0));
    killAndAwaitHeir(server(region));
    cluster.runUntil(() -> named().contains(replica.hostAndPort()));
    cluster.killMaster();
    cluster.split = (kind, parts) -> parts.read(kind, Set.of());
    cluster.startUp();
    recover();
    assertThat(table.primary().placed().orElseThrow().reason())
        .isEqualTo("a replica of it was there");
    assertThat(server(table.primary())).isEqualTo(replica);
  }

  @Test
  void aServerIsNotToldToExpectWhatHasOpened() throws IOException {
    RegionStateNode region = create(2);
    ServerName replica = server(region.replicas().get(0));
    cluster.lanes.held = Optional.of(Lane.takeovers(replica));
    killAndAwaitHeir(server(region));
    recover();
    cluster.lanes.held = Optional.empty();
    cluster.letTimePass(Duration.ofSeconds(1));
    assertThat(cluster.servers.warmUps).isEmpty();
  }

  @Test
  void theNextMasterChoosesAgain() throws IOException {
    RegionStateNode region = create(2);
    ServerName replica = server(region.replicas().get(0));
    killAndAwaitHeir(server(region));
    cluster.runUntil(() -> named().contains(replica.hostAndPort()));
    cluster.killMaster();
    cluster.startUp();
    cluster.runUntil(() -> table.primary().successor().isPresent());
    assertThat(table.primary().state()).isEqualTo(State.ABNORMALLY_CLOSED);
    recover();
    assertThat(server(table.primary())).isEqualTo(replica);
  }

  @Test
  void aServerThatIsBeingEmptiedTakesNothingOver() throws IOException {
    RegionStateNode region = create(2);
    RegionStateNode replica = region.replicas().get(0);
    ServerName successor = server(replica);
    cluster.placementRules.clear();
    cluster.mark(successor, true);
    cluster.killServer(server(region));
    cluster.runUntil(() -> region.state() == State.ABNORMALLY_CLOSED);
    recover();
    assertThat(server(region)).isNotEqualTo(successor);
  }
}
