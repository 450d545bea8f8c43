package dev.cairn.server.master.draining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.ddl.DeleteTableProcedure;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.members.MemberSettings;
import dev.cairn.server.walsplit.WalSplitSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;

/** How a master empties region servers, and fills them again. */
class RegionOffloadTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();

  private void start(ServerName... servers) throws IOException {
    for (ServerName server : servers) {
      cluster.addServer(server);
    }
    cluster.startUp();
    cluster.run(cluster.createTable("b", "c", "d", "e", "f"));
  }

  private void drain(boolean offload, ServerName... servers) throws IOException {
    AtomicBoolean done = new AtomicBoolean();
    cluster
        .active()
        .draining()
        .drain(
            List.of(servers),
            offload,
            Completion.of(
                () -> {
                  cluster.active().offload().look();
                  done.set(true);
                },
                cause -> {
                  throw new AssertionError(cause);
                }));
    cluster.runUntil(done::get);
  }

  private void restore(ServerName server) {
    AtomicBoolean done = new AtomicBoolean();
    cluster.active().draining().restore(server, Completion.of(() -> done.set(true), cause -> {}));
    cluster.runUntil(done::get);
  }

  private int hosted(ServerName server) {
    return cluster.servers.hosted.get(server).size();
  }

  private List<RegionStateNode> at(ServerName server) {
    return cluster.active().assignments().all().stream()
        .filter(node -> node.openServer().filter(server::equals).isPresent())
        .toList();
  }

  private boolean isMetaAt(ServerName server) {
    return cluster.servers.hosted.get(server).containsKey(RegionInfo.META.encodedName());
  }

  @Test
  void aServerIsEmptiedAlsoOfMeta() throws IOException {
    start(ONE, TWO, THREE);
    ServerName holder = isMetaAt(ONE) ? ONE : isMetaAt(TWO) ? TWO : THREE;
    drain(true, holder);
    cluster.runUntil(() -> hosted(holder) == 0 && cluster.isIdle());
    assertThat(cluster.openRegions()).hasSize(6);
    assertThat(cluster.active().draining().all()).containsExactly(holder);
    cluster.run(cluster.setEnabled(false)); // hbase:meta is written
    cluster.run(cluster.setEnabled(true));
    assertThat(hosted(holder)).isZero();
  }

  @Test
  void regionsThatDoNotOpenDoNotHoldUpTheOthers() throws IOException {
    start(ONE, TWO);
    cluster.run(cluster.setEnabled(false));
    cluster.run(
        new DeleteTableProcedure(
            cluster.active().procedureContext(), "user", SimulatedCluster.TABLE));
    cluster.run(
        cluster.createTable(
            IntStream.range(10, 30).mapToObj("%d"::formatted).toArray(String[]::new)));
    int movesAtOnce = cluster.members.drainMoves();
    assertThat(at(ONE)).hasSizeGreaterThan(2 * movesAtOnce);
    at(ONE).stream()
        .filter(node -> node.region().table().equals(SimulatedCluster.TABLE))
        .map(node -> node.region().encodedName())
        .sorted()
        .limit(movesAtOnce)
        .forEach(name -> cluster.servers.failingOpens.put(name, 100_000));
    drain(true, ONE);
    cluster.letTimePass(Duration.ofMinutes(5));
    assertThat(hosted(ONE)).isZero();
  }

  @Test
  void withoutOffloadAServerKeepsItsRegionsAndGetsNone() throws IOException {
    assertThat(receivedWhileDraining()).isZero();
  }

  @Test
  void withoutTheRuleADrainingServerGetsRegions() throws IOException {
    cluster.placementRulesInForce = rule -> !(rule instanceof DrainingRule);
    assertThat(receivedWhileDraining()).isPositive();
  }

  /** Returns the regions that a draining server gets while it is the only one that is left. */
  private long receivedWhileDraining() throws IOException {
    start(ONE, TWO);
    long before = ofTheTable(TWO);
    drain(false, TWO);
    cluster.letTimePass(Duration.ofMinutes(1));
    assertThat(ofTheTable(TWO)).isEqualTo(before);
    cluster.killServer(ONE);
    cluster.letTimePass(Duration.ofMinutes(1));
    cluster.addServer(THREE);
    cluster.runUntil(() -> cluster.isIdle() && cluster.openRegions().size() == 6);
    return ofTheTable(TWO) - before;
  }

  private long ofTheTable(ServerName server) {
    return cluster.servers.hosted.get(server).values().stream()
        .filter(region -> region.table().equals(SimulatedCluster.TABLE))
        .count();
  }

  @Test
  void ifAllServersDrainTheTablesOfTheMasterOpenAndRegionsStayWhereTheyWere() throws IOException {
    start(ONE, TWO);
    drain(false, TWO);
    cluster.killServer(ONE);
    cluster.letTimePass(Duration.ofMinutes(1));
    assertThat(isMetaAt(TWO)).isTrue();
    long kept = ofTheTable(TWO);
    assertThat(kept).isPositive().isLessThan(6);
    cluster
        .active()
        .assignments()
        .reopen(SimulatedCluster.TABLE, Completion.of(() -> {}, cause -> {}));
    cluster.letTimePass(Duration.ofMinutes(1));
    assertThat(ofTheTable(TWO)).isEqualTo(kept);
  }

  @Test
  void drainingGoesOnUnderTheNextMaster() throws IOException {
    start(ONE, TWO, THREE);
    drain(true, TWO);
    cluster.killMaster();
    cluster.startUp();
    assertThat(cluster.active().draining().isDraining(TWO)).isTrue();
    cluster.runUntil(() -> hosted(TWO) == 0 && cluster.isIdle());
    restore(TWO);
    cluster.killMaster();
    cluster.startUp();
    assertThat(cluster.active().draining().all()).isEmpty();
    assertThat(cluster.active().draining().offloaded()).isEmpty();
  }

  @Test
  void aMarkThatAnOperatorMakesAndRemovesCounts() throws IOException {
    start(ONE, TWO);
    cluster.mark(TWO, true);
    cluster.letTimePass(Duration.ofSeconds(10));
    assertThat(cluster.active().draining().all()).containsExactly(TWO);
    assertThat(hosted(TWO)).isPositive();
    drain(true, TWO);
    cluster.runUntil(() -> hosted(TWO) == 0);
    cluster.mark(TWO, false);
    cluster.letTimePass(Duration.ofSeconds(10));
    assertThat(cluster.active().draining().all()).isEmpty();
    cluster.mark(TWO, true);
    cluster.letTimePass(Duration.ofSeconds(10));
    assertThat(cluster.active().draining().offloaded()).as("forgotten with the mark").isEmpty();
  }

  @Test
  void theLastServersAreRefused() throws IOException {
    start(ONE, TWO);
    assertThatThrownBy(() -> drain(true, ONE, TWO))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage(
            "No region server is left that may have the regions of [one,16020,1, two,16020,1]."
                + " Nothing was changed");
    drain(true, ONE);
    assertThatThrownBy(() -> drain(true, TWO))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage(
            "No region server is left that may have the regions of [two,16020,1]: one,16020,1 is"
                + " draining. Nothing was changed");
    assertThatThrownBy(() -> drain(false, THREE))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("No region server three,16020,1 is alive");
    assertThat(cluster.active().draining().all()).containsExactly(ONE);
    drain(false, TWO);
    assertThat(cluster.active().draining().all()).containsExactly(ONE, TWO);
  }

  @Test
  void regionsReturn() throws IOException {
    start(ONE, TWO, THREE);
    List<RegionStateNode> before = at(TWO);
    drain(true, TWO);
    cluster.runUntil(() -> hosted(TWO) == 0 && cluster.isIdle());
    restore(TWO);
    assertThat(cluster.active().draining().all()).isEmpty();
    cluster.active().offload().bring(before, TWO);
    cluster.runUntil(() -> hosted(TWO) == before.size() && cluster.isIdle());
    assertThat(at(TWO)).containsExactlyInAnyOrderElementsOf(before);
  }

  @Test
  void aRestartEndsTheDraining() throws IOException {
    start(ONE, TWO);
    drain(true, TWO);
    cluster.killServer(TWO);
    ServerName again = new ServerName("two", 16020, 2);
    cluster.addServer(again);
    cluster.runUntil(() -> cluster.active().servers().isReady(again) && cluster.isIdle());
    cluster.letTimePass(Duration.ofSeconds(10));
    assertThat(cluster.active().draining().all()).isEmpty();
    assertThat(cluster.marked()).as("the mark of the earlier life is removed").isEmpty();
  }

  @Test
  void regionsReturnToAServerThatHasNotReportedYet() throws IOException {
    start(ONE, TWO);
    RegionStateNode region = at(ONE).get(at(ONE).size() - 1);
    cluster.refused.add(THREE);
    cluster.addServer(THREE);
    cluster.runUntil(() -> cluster.active().servers().isLive(THREE));
    cluster.active().offload().bring(List.of(region), THREE);
    cluster.letTimePass(Duration.ofSeconds(5));
    assertThat(hosted(THREE)).isZero();
    cluster.refused.remove(THREE);
    cluster.runUntil(() -> hosted(THREE) == 1 && cluster.isIdle());
    assertThat(region.openServer()).contains(THREE);
  }

  @Test
  void aDecommissionedHostIsRejectedUntilItIsRecommissioned() throws IOException {
    cluster.members =
        MemberSettings.of(
                new SiteConfig(
                    Map.of(
                        MemberSettings.REJECTS_DECOMMISSIONED.name(),
                        "true",
                        MemberSettings.START_TIMEOUT_MILLIS.name(),
                        "0")),
                Duration.ofSeconds(3))
            .splitting(WalSplitSettings.BY_MASTER);
    start(ONE, TWO);
    drain(false, TWO);
    ServerName again = new ServerName("two", 16020, 2);
    ServerName beside = new ServerName("two", 16021, 3);
    assertThat(cluster.active().draining().rejection(TWO)).as("itself").isEmpty();
    assertThat(cluster.active().draining().rejection(THREE)).as("another host").isEmpty();
    assertThat(cluster.active().draining().rejection(beside)).as("its host").isPresent();
    cluster.killServer(TWO);
    cluster.refused.add(again);
    cluster.addServer(again);
    cluster.letTimePass(Duration.ofSeconds(10));
    cluster.killMaster();
    cluster.startUp();
    assertThat(cluster.active().draining().all()).as("alive").isEmpty();
    assertThat(cluster.active().draining().decommissioned()).containsExactly(TWO);
    assertThat(cluster.active().draining().rejection(again))
        .contains(
            "Host two exists in the list of decommissioned servers and Master is configured to"
                + " reject decommissioned hosts");
    restore(TWO);
    assertThat(cluster.active().draining().decommissioned()).isEmpty();
    assertThat(cluster.active().draining().rejection(again)).isEmpty();
  }

  @Test
  void hostsAreNotRejectedByDefault() throws IOException {
    start(ONE, TWO);
    drain(false, TWO);
    assertThat(cluster.active().draining().rejection(new ServerName("two", 16020, 2))).isEmpty();
  }
}
