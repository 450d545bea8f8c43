package dev.cairn.server.master.members;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.SimulatedCoordination;
import dev.cairn.server.master.loop.Lane;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Region servers that die or hang while their sessions live. */
class FailureDetectionTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);
  private static final Duration SESSION = SimulatedCoordination.SESSION_TIMEOUT;

  /** The maximum delay of the master's checks. */
  private static final Duration CHECKS = Duration.ofSeconds(3);

  private SimulatedCluster cluster;

  private void start(ServerName... servers) throws IOException {
    cluster = new SimulatedCluster();
    for (ServerName server : servers) {
      cluster.addServer(server);
    }
    cluster.startUp();
    cluster.run(cluster.createTable("b", "c", "d", "e", "f"));
    // Long enough to be believed when others are silent.
    cluster.letTimePass(SESSION.multipliedBy(2));
  }

  /** Returns the regions of the table at servers that answer. */
  private Set<String> served() {
    Set<String> served = new TreeSet<>();
    cluster.servers.hosted.forEach(
        (server, regions) -> {
          if (!cluster.servers.silent.contains(server)) {
            regions.values().stream()
                .filter(region -> region.table().equals(SimulatedCluster.TABLE))
                .map(RegionInfo::encodedName)
                .forEach(served::add);
          }
        });
    return served;
  }

  private void endProcess(ServerName server) {
    cluster.servers.silent.remove(server);
    cluster.servers.hosted.remove(server);
  }

  private boolean isLive(ServerName server) {
    return cluster.active().servers().isLive(server);
  }

  @Test
  void aServerWhosePortIsClosedIsGivenUpAtOnce() throws IOException {
    start(ONE, TWO);
    endProcess(ONE); // Its session lives on.
    cluster.servers.breakConnections(ONE);
    cluster.letTimePass(Duration.ofMillis(10));

    assertThat(served()).hasSize(6);
    assertThat(cluster.recovered).containsExactly(ONE);
  }

  @Test
  void aServerWhosePortIsClosedIsGivenUpWithoutABrokenConnection() throws IOException {
    start(ONE);
    endProcess(ONE);
    cluster.letTimePass(Duration.ofSeconds(3).plus(CHECKS));

    assertThat(isLive(ONE)).isFalse();
  }

  /** The dead server stays registered for a while. */
  @Test
  void aServerThatIsBeingGivenUpIsNotForgotten() throws IOException {
    start(ONE, TWO);
    cluster.servers.silent.add(ONE);
    cluster.runUntil(() -> cluster.active().servers().isDead(ONE));
    assertThat(cluster.registered()).contains(ONE);
    cluster.active().servers().forgetDead(ONE);
    cluster.addServer(THREE); // So the master hears of all registrations.
    cluster.runUntil(() -> isLive(THREE));
    assertThat(isLive(ONE)).isFalse();

    cluster.letTimePass(SESSION.minus(CHECKS));
    assertThat(cluster.registered()).doesNotContain(ONE);
    cluster.active().servers().forgetDead(ONE);
    assertThat(cluster.active().servers().isDead(ONE)).as("while it may serve").isTrue();

    cluster.letTimePass(CHECKS.multipliedBy(2));
    assertThat(cluster.active().members().isRecovered()).isTrue();
    cluster.active().servers().forgetDead(ONE);
    assertThat(cluster.active().servers().isDead(ONE)).isFalse();
  }

  @Test
  void aBrokenConnectionAloneEndsNobody() throws IOException {
    start(ONE, TWO);
    cluster.servers.breakConnections(ONE);
    cluster.letTimePass(SESSION.multipliedBy(2));

    assertThat(isLive(ONE)).isTrue();
    assertThat(cluster.recovered).isEmpty();
  }

  @Test
  void aSilentServerIsGivenUpAndItsRegionsOpenElsewhereAfterItsLease() throws IOException {
    start(ONE, TWO);
    cluster.servers.silent.add(ONE);
    Set<String> left = served();
    cluster.letTimePass(SESSION.plus(CHECKS));
    assertThat(isLive(ONE)).isFalse();
    assertThat(cluster.registered()).containsExactly(TWO);
    assertThat(cluster.recovered).containsExactly(ONE);
    cluster.letTimePass(SESSION.minus(CHECKS.multipliedBy(2)));
    assertThat(served()).isEqualTo(left).hasSizeLessThan(6);

    cluster.letTimePass(CHECKS.multipliedBy(2));
    assertThat(served()).hasSize(6);
  }

  @Test
  void regionsOfASilentServerOpenAtOnceWhenItsProcessEnds() throws IOException {
    start(ONE, TWO);
    cluster.servers.silent.add(ONE);
    cluster.letTimePass(SESSION.plus(CHECKS));
    endProcess(ONE);
    cluster.letTimePass(CHECKS);

    assertThat(served()).hasSize(6);
  }

  @Test
  void aSilentServerKeepsItsLogUntilTheStoreSaysThatItIsGivenUp() throws IOException {
    start(ONE, TWO);
    cluster.servers.silent.add(ONE);
    cluster.lanes.held = Optional.of(Lane.STORE);
    cluster.letTimePass(SESSION.plus(CHECKS));
    assertThat(cluster.recovered).isEmpty();

    cluster.killMaster(); // The next one does not know that the server was silent.
    cluster.lanes.held = Optional.empty();
    cluster.servers.silent.clear();
    cluster.startMaster();
    cluster.letTimePass(SESSION.multipliedBy(2));
    assertThat(isLive(ONE)).isTrue();
    assertThat(cluster.recovered).isEmpty();
    assertThat(served()).hasSize(6);
  }

  @Test
  void theNextMasterWaitsForTheLeaseOfASilentServerToo() throws IOException {
    start(ONE, TWO);
    cluster.servers.silent.add(ONE);
    Set<String> left = served();
    cluster.letTimePass(SESSION.plus(CHECKS));
    cluster.killMaster();
    cluster.startMaster();
    cluster.letTimePass(SESSION.minus(CHECKS));
    assertThat(served()).isEqualTo(left).hasSizeLessThan(6);

    cluster.letTimePass(CHECKS.multipliedBy(2));
    assertThat(served()).hasSize(6);
  }

  @Test
  void aMasterThatReachesNobodyGivesNobodyUp() throws IOException {
    start(ONE, TWO, THREE);
    cluster.servers.silent.addAll(Set.of(ONE, TWO, THREE));
    cluster.letTimePass(SESSION.multipliedBy(10));
    assertThat(cluster.registered()).containsExactlyInAnyOrder(ONE, TWO, THREE);

    // One answers first, which does not show that the others are dead.
    cluster.servers.silent.remove(ONE);
    cluster.letTimePass(SESSION.minus(CHECKS));
    cluster.servers.silent.clear();
    cluster.letTimePass(SESSION.multipliedBy(2));
    assertThat(cluster.registered()).containsExactlyInAnyOrder(ONE, TWO, THREE);
    assertThat(cluster.recovered).isEmpty();
  }

  @Test
  void theMinorityThatAnswersDoesNotEndTheOthers() throws IOException {
    start(ONE, TWO, THREE);
    cluster.servers.silent.addAll(Set.of(TWO, THREE));
    cluster.letTimePass(SESSION.multipliedBy(10));

    assertThat(cluster.registered()).containsExactlyInAnyOrder(ONE, TWO, THREE);
  }
}
