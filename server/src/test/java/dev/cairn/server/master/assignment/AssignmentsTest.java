package dev.cairn.server.master.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.server.catalog.LogWait;
import dev.cairn.server.catalog.RefusedRegions;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.SimulatedLanes;
import dev.cairn.server.master.ddl.CreateTableProcedure;
import dev.cairn.server.master.ddl.DeleteTableProcedure;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.rpc.LoggedLines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests where regions end up when servers come, fail and go. */
class AssignmentsTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);

  @RegisterExtension private final LoggedLines log = new LoggedLines(TransitionReports.class);

  private static SimulatedCluster cluster(ServerName... servers) throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    for (ServerName server : servers) {
      cluster.addServer(server);
    }
    cluster.startUp();
    return cluster;
  }

  @Test
  void theMasterWaitsForAServer() throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.startMaster();
    while (cluster.step()) {
      assertThat(cluster.master.isInitialized()).isFalse();
    }
    cluster.addServer(ONE);
    cluster.runUntil(() -> cluster.master.isInitialized());
  }

  /** It slept after it had begun to lead. */
  @Test
  void aMasterThatWasReplacedBeforeItOpenedItsStoreLeavesItAlone() throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.addServer(ONE);
    cluster.startMaster();
    while (cluster.storage.list("").isEmpty()) {
      cluster.step();
    }
    cluster.replaceMasterUnheard(new ServerName("other", 16000, 9));
    cluster.letTimePass(Duration.ofSeconds(1));
    assertThat(cluster.storesOpened).isZero();
    assertThat(cluster.aborts)
        .containsExactly("The master cannot lead: Another master leads: other,16000,9");
  }

  /** Its log is open, and the news that it has registered is on its way. */
  @Test
  void aServerThatStartsWhileAMasterLooksForDeadOnesKeepsItsLog() throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.addServer(ONE);
    cluster.startServerUnheard(TWO);
    cluster.startMaster();
    cluster.letTimePass(Duration.ofSeconds(2));
    assertThat(cluster.recovered).isEmpty();
    cluster.addServer(TWO);
    cluster.runUntil(() -> cluster.master.isInitialized());
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.recovered).isEmpty();
    cluster.killServer(TWO);
    cluster.runUntil(() -> cluster.recovered.contains(TWO));
  }

  @Test
  void aReportOfAClosingIsAnsweredIfTheNextServerDiesMeanwhile() throws IOException {
    long epoch = new SimulatedLanes().currentTimeMillis(); // of the first master
    SimulatedCluster cluster = cluster(ONE, TWO, THREE);
    cluster.run(cluster.createTable());
    Assignments assignments = cluster.active().assignments();
    RegionStateNode node = assignments.of(SimulatedCluster.TABLE).iterator().next();
    ServerName from = node.openServer().orElseThrow();
    ServerName next =
        Stream.of(ONE, TWO, THREE)
            .filter(server -> !server.equals(from))
            .filter(
                server ->
                    !cluster.servers.hosted.get(server).containsKey(RegionInfo.META.encodedName()))
            .findFirst()
            .orElseThrow();
    cluster.lanes.held = Optional.of(Lane.orders(from));
    cluster.move(node, next);
    cluster.runUntil(() -> node.state() == State.CLOSING && node.order().isPresent());
    cluster.lanes.held = Optional.of(Lane.CATALOG);
    AtomicBoolean answered = new AtomicBoolean();
    assignments.closed(
        from,
        node.region(),
        Optional.of(new FencingToken(epoch, node.changeNumber())),
        Completion.of(() -> answered.set(true), cause -> answered.set(true)));
    assertThat(node.state()).isEqualTo(State.OPENING);
    cluster.killServer(next);
    cluster.runUntil(() -> node.state() == State.ABNORMALLY_CLOSED);
    cluster.lanes.held = Optional.empty();
    cluster.runUntil(answered::get);
  }

  /** Its registration is still there when the next master begins, and has gone soon after. */
  @Test
  void regionsOfAServerOfWhichNoNewsCameWaitForItsLog() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable("b", "c", "d"));
    cluster.killMaster();
    cluster.killServer(TWO);
    cluster.startServerUnheard(TWO);
    Set<String> left = cluster.openRegions();
    cluster.startMaster();
    cluster.letTimePass(Duration.ofSeconds(2));
    assertThat(cluster.openRegions()).isEqualTo(left).hasSizeLessThan(4);
    cluster.killServer(TWO);
    cluster.runUntil(() -> cluster.openRegions().size() > left.size());
    assertThat(cluster.recovered).containsExactly(TWO);
    cluster.runUntil(() -> cluster.openRegions().size() == 4);
  }

  /** It slept since before its session ended; the next master hears nothing of it but that. */
  @Test
  void regionsOfAServerThatReportsAfterItsSessionEndedWaitForItsLog() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable("b", "c", "d"));
    cluster.killMaster();
    cluster.killServer(TWO);
    Set<String> left = cluster.openRegions();
    cluster.startMaster();
    cluster.runUntil(() -> cluster.master.active().isPresent());
    cluster.master.loop().post(() -> cluster.active().members().reportedForDuty(TWO));
    cluster.runUntil(() -> cluster.openRegions().size() > left.size());
    assertThat(cluster.recovered).containsExactly(TWO);
    cluster.runUntil(() -> cluster.openRegions().size() == 4);
  }

  /** The master refuses it at its report for duty, for example because of its clock. */
  @Test
  void aServerThatTheMasterHasNotAcceptedGetsNoRegion() throws IOException {
    SimulatedCluster cluster = cluster(ONE);
    cluster.refused.add(TWO);
    cluster.addServer(TWO);
    cluster.run(cluster.createTable("b", "c", "d"));
    assertThat(cluster.openRegions()).hasSize(4);
    assertThat(cluster.servers.hosted.get(TWO)).isEmpty();

    cluster.killServer(ONE);
    cluster.letTimePass(Duration.ofSeconds(30));
    assertThat(cluster.servers.hosted.get(TWO)).isEmpty();

    cluster.refused.clear();
    cluster.runUntil(() -> cluster.openRegions().size() == 4);
  }

  @Test
  void regionsAreSpreadEvenly() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable("b", "c", "d", "e", "f"));
    assertThat(cluster.openRegions()).hasSize(6);
    // And hbase:meta and hbase:namespace.
    assertThat(cluster.servers.hosted.get(ONE).size() + cluster.servers.hosted.get(TWO).size())
        .isEqualTo(8);
    assertThat(cluster.servers.hosted.get(ONE)).hasSizeBetween(3, 5);
  }

  @Test
  void aDeadServersRegionsOpenElsewhereOnceItsLogIsRecovered() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable("b", "c", "d"));
    cluster.killServer(ONE);
    cluster.runUntil(cluster::isIdle);
    cluster.runUntil(() -> cluster.openRegions().size() == 4);
    assertThat(cluster.recovered).containsExactly(ONE);
    // And hbase:meta and hbase:namespace.
    assertThat(cluster.servers.hosted.get(TWO)).hasSize(6);
  }

  @Test
  void metaNamesNoServerForTheRegionsOfADeadOneUntilTheyAreOpen() throws IOException {
    SimulatedCluster cluster = clusterWithUnreachableRegions();
    assertThat(cluster.servers.meta.values("info:sn")).contains(TWO.toString());
    cluster.runUntil(() -> cluster.isIdle() && cluster.openRegions().size() == 4);
    assertThat(cluster.servers.meta.values("info:server")).containsOnly(ONE.hostAndPort());
  }

  @Test
  void aMasterThatFindsUnreachableRegionsWaitsForTheLogOfTheirServer() throws IOException {
    SimulatedCluster cluster = clusterWithUnreachableRegions();
    cluster.killMaster();
    assertThat(cluster.recovered).isEmpty();
    cluster.startUp();
    cluster.runUntil(() -> cluster.isIdle() && cluster.openRegions().size() == 4);
    assertThat(cluster.recovered).containsExactly(TWO);
    assertThat(cluster.servers.meta.values("info:server")).containsOnly(ONE.hostAndPort());
  }

  private static SimulatedCluster clusterWithUnreachableRegions() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable("b", "c", "d"));
    cluster.killServer(TWO);
    cluster.runUntil(() -> cluster.servers.meta.values("info:server").contains(""));
    return cluster;
  }

  @Test
  void everyServerMayDieAndTheNextOneTakesAll() throws IOException {
    SimulatedCluster cluster = cluster(ONE);
    cluster.run(cluster.createTable("b", "c"));
    cluster.killServer(ONE);
    while (cluster.step()) {
      assertThat(cluster.openRegions()).isEmpty();
    }
    cluster.addServer(TWO);
    cluster.runUntil(() -> cluster.isIdle() && cluster.openRegions().size() == 3);
  }

  @Test
  void aRegionThatFailsToOpenIsTriedAgain() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable("b"));
    cluster.run(cluster.setEnabled(false));
    cluster
        .active()
        .assignments()
        .regionsOf(SimulatedCluster.TABLE)
        .forEach(region -> cluster.servers.failingOpens.put(region.encodedName(), 3));
    cluster.run(cluster.setEnabled(true));
    assertThat(cluster.openRegions()).hasSize(2);
    assertThat(cluster.servers.failingOpens.values()).containsOnly(0);
  }

  @Test
  void aRegionThatIsReportedAsOpenAndCannotServeIsTriedAgainWithGrowingPauses() throws IOException {
    SimulatedCluster cluster = cluster(ONE);
    cluster.run(cluster.createTable());
    cluster.run(cluster.setEnabled(false));
    RegionStateNode node =
        cluster.active().assignments().of(SimulatedCluster.TABLE).iterator().next();
    cluster.servers.failingBegins.put(node.region().encodedName(), 3);
    cluster.run(cluster.setEnabled(true));
    cluster.runUntil(
        () ->
            cluster.servers.failingBegins.containsValue(0)
                && cluster.isIdle()
                && cluster.openRegions().size() == 1);
    for (int pause : List.of(100, 200, 400)) {
      assertThat(log.all())
          .anyMatch(line -> line.contains("trying again in " + pause + " ms: the disk is slow"));
    }
    assertThat(node.problem()).isEmpty();
    assertThat(node.isRefusing()).isFalse();
  }

  @Test
  void theReportsOfAServerTellWhichRegionsRefuseCalls() throws IOException {
    SimulatedCluster cluster = cluster(ONE);
    cluster.run(cluster.createTable());
    Assignments assignments = cluster.active().assignments();
    RegionStateNode node = assignments.of(SimulatedCluster.TABLE).iterator().next();
    RegionServerReportRequest.Builder report =
        RegionServerReportRequest.newBuilder().setServer(ONE.message());
    LogWait.write(report, Duration.ofSeconds(2));
    RefusedRegions.write(
        report, Map.of(node.region().encodedName(), "it\nfails", "unknown", "it\nfails"));
    assertThat(LogWait.read(report.build())).isEqualTo(Duration.ofSeconds(2));

    assignments.refusing(TWO, RefusedRegions.read(report.build()));
    assertThat(assignments.notOpen()).isEmpty();
    assignments.refusing(ONE, RefusedRegions.read(report.build()));
    assertThat(assignments.notOpen())
        .containsExactly(new Assignments.Missed(node.region(), Optional.of("it\nfails")));
    assertThat(node.shownState()).isEqualTo(State.FAILED_OPEN);
    assignments.refusing(ONE, Map.of());
    assertThat(assignments.notOpen()).isEmpty();
    assertThat(node.isShownInTransition()).isFalse();
  }

  @Test
  void aRegionThatCannotBeOpenedForLongIsOneError() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable());
    cluster.run(cluster.setEnabled(false));
    cluster
        .active()
        .assignments()
        .regionsOf(SimulatedCluster.TABLE)
        .forEach(region -> cluster.servers.failingOpens.put(region.encodedName(), 12));
    cluster.run(cluster.setEnabled(true));
    assertThat(log.all())
        .filteredOn(line -> line.startsWith("ERROR "))
        .singleElement()
        .asString()
        .contains("could not be opened 10 times");
  }

  @Test
  void aServerThatStopsGetsNoRegions() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable("b", "c", "d", "e"));
    cluster.run(cluster.setEnabled(false));
    cluster.servers.stopping.add(ONE);
    cluster.run(cluster.setEnabled(true));
    assertThat(cluster.openRegions()).hasSize(5);
    assertThat(cluster.servers.hosted.get(ONE).values())
        .noneMatch(region -> region.table().equals(SimulatedCluster.TABLE));
    assertThat(log.all()).noneMatch(line -> line.contains("could not be opened"));
  }

  @Test
  void aServerThatGoesOnAfterAllGetsRegionsAgain() throws IOException {
    SimulatedCluster cluster = cluster(ONE);
    cluster.run(cluster.createTable("b"));
    cluster.run(cluster.setEnabled(false));
    cluster.servers.stopping.add(ONE);
    cluster.submit(cluster.setEnabled(true));
    cluster.runUntil(() -> !cluster.active().servers().isReady(ONE));
    cluster.servers.stopping.clear();
    cluster.runUntil(() -> cluster.isIdle() && cluster.openRegions().size() == 2);
  }

  @Test
  void aRegionThatIsAboutToServeIsNotTakenForClosed() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable("b"));
    cluster
        .active()
        .assignments()
        .regionsOf(SimulatedCluster.TABLE)
        .forEach(region -> cluster.servers.slowlyListed.put(region.encodedName(), 2));
    cluster.run(cluster.setEnabled(false));
    assertThat(cluster.openRegions()).isEmpty();
  }

  /** Every report comes once more, after its region went elsewhere and came back. */
  @Test
  void reportsThatComeLateOrTwiceChangeNothing() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable("b"));
    for (int i = 0; i < 2; i++) {
      cluster.run(cluster.setEnabled(false));
      cluster.run(cluster.setEnabled(true));
    }
    Map<ServerName, Map<String, RegionInfo>> before = hosted(cluster);
    List<Runnable> late = List.copyOf(cluster.servers.reports);
    int sent = late.size();
    late.forEach(Runnable::run);
    cluster.letTimePass(Duration.ofMinutes(1));
    assertThat(hosted(cluster)).isEqualTo(before);
    assertThat(cluster.servers.reports.size() - 2 * sent).as("reports of new orders").isZero();
    assertThat(cluster.isIdle()).isTrue();
  }

  private static Map<ServerName, Map<String, RegionInfo>> hosted(SimulatedCluster cluster) {
    Map<ServerName, Map<String, RegionInfo>> copy = new HashMap<>();
    cluster.servers.hosted.forEach((server, regions) -> copy.put(server, Map.copyOf(regions)));
    return copy;
  }

  @Test
  void theWholeClusterRestartsWithNewServers() throws IOException {
    SimulatedCluster cluster = cluster(ONE);
    cluster.run(cluster.createTable("b", "c"));
    cluster.killMaster();
    cluster.killServer(ONE);
    ServerName again = new ServerName(ONE.host(), ONE.port(), 2);
    cluster.addServer(again);
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.openRegions()).hasSize(3);
    assertThat(cluster.recovered).containsExactly(ONE);
  }

  @Test
  void aRestartedServerEndsItsEarlierLife() throws IOException {
    SimulatedCluster cluster = cluster(ONE);
    cluster.run(cluster.createTable("b"));
    ServerName again = new ServerName(ONE.host(), ONE.port(), 2);
    // The old process is dead, though its registration still stands.
    Map<String, RegionInfo> lost = cluster.servers.hosted.get(ONE);
    lost.clear();
    cluster.servers.hosted.remove(ONE);
    cluster.master.loop().post(() -> cluster.active().members().reportedForDuty(again));
    cluster.addServer(again);
    cluster.runUntil(() -> cluster.isIdle() && cluster.openRegions().size() == 2);
    assertThat(cluster.recovered).contains(ONE);
  }

  @Test
  void aMoveEndsWhereItShall() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable());
    RegionStateNode node =
        cluster.active().assignments().of(SimulatedCluster.TABLE).iterator().next();
    ServerName target = node.isAt(ONE) ? TWO : ONE;
    cluster.move(node, target);
    cluster.runUntil(cluster::isIdle);
    assertThat(node.openServer()).contains(target);
    assertThat(cluster.servers.hosted.get(target)).containsKey(node.region().encodedName());
  }

  @Test
  void aServerLearnsWhereARegionGoesIfItIsMovedAndOnlyThen() throws IOException {
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable());
    RegionStateNode node =
        cluster.active().assignments().of(SimulatedCluster.TABLE).iterator().next();
    ServerName target = node.isAt(ONE) ? TWO : ONE;

    cluster.move(node, target);
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.servers.destinations)
        .containsExactly(Map.entry(node.region().encodedName(), target));

    cluster.run(cluster.setEnabled(false));
    assertThat(cluster.servers.destinations).isEmpty();
  }

  @Test
  void refusalsAreTheExceptionsThatClientsKnow() throws IOException {
    SimulatedCluster cluster = cluster(ONE);
    cluster.run(cluster.createTable());
    assertRefused(cluster, cluster.createTable(), TableExistsException.class);
    assertRefused(
        cluster,
        new DeleteTableProcedure(
            cluster.active().procedureContext(), "user", SimulatedCluster.TABLE),
        TableNotDisabledException.class);
    assertRefused(
        cluster,
        new DeleteTableProcedure(
            cluster.active().procedureContext(), "user", TableName.parse("nobody")),
        TableNotFoundException.class);
    assertRefused(
        cluster,
        new CreateTableProcedure(
            cluster.active().procedureContext(),
            "user",
            TableSchema.of(TableName.parse("nowhere:t"), FamilySchema.of("a")),
            List.of()),
        NamespaceNotFoundException.class);
  }

  private static void assertRefused(
      SimulatedCluster cluster, Procedure procedure, Class<? extends Exception> expected) {
    CompletableFuture<Long> id = cluster.submit(procedure);
    cluster.runUntil(id::isDone);
    assertThatThrownBy(id::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverHappensEveryRegionIsOpenOnceInTheEnd(long seed) throws IOException {
    Random random = new Random(seed);
    SimulatedCluster cluster = cluster(ONE, TWO);
    cluster.run(cluster.createTable("b", "c", "d", "e"));
    List<ServerName> alive = new ArrayList<>(List.of(ONE, TWO));
    for (int event = 0; event < 30; event++) {
      switch (random.nextInt(4)) {
        case 0 -> {
          ServerName server = new ServerName("more" + event, 16020, event + 10);
          cluster.addServer(server);
          alive.add(server);
        }
        case 1 -> {
          if (alive.size() > 1) {
            cluster.killServer(alive.remove(random.nextInt(alive.size())));
          }
        }
        case 2 -> {
          cluster.killMaster();
          cluster.startMaster();
        }
        default -> {
          for (RegionStateNode node :
              cluster
                  .master
                  .active()
                  .map(m -> m.assignments().of(SimulatedCluster.TABLE))
                  .orElse(List.of())) {
            cluster.servers.failingOpens.put(node.region().encodedName(), random.nextInt(2));
            cluster.servers.failingBegins.put(node.region().encodedName(), random.nextInt(2));
          }
        }
      }
      int steps = random.nextInt(40);
      for (int i = 0; i < steps; i++) {
        cluster.step();
        cluster.openRegions();
      }
    }
    cluster.runUntil(() -> cluster.isIdle() && cluster.openRegions().size() == 5);
    assertThat(cluster.aborts).as("seed %d", seed).isEmpty();
  }
}
