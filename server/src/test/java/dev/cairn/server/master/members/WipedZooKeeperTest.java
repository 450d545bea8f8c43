package dev.cairn.server.master.members;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.SimulatedCoordination;
import dev.cairn.server.master.store.MasterStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody deletes the registrations of region servers; one of the servers is frozen. */
class WipedZooKeeperTest {
  private static final ServerName SLEEPING = new ServerName("two", 16020, 1);
  private static final ServerName AWAKE = new ServerName("one", 16020, 1);
  private static final ServerName RESTARTED = new ServerName("one", 16020, 2);
  private static final Duration LEASE = SimulatedCoordination.SESSION_TIMEOUT;

  /** The maximum delay of the master's checks. */
  private static final Duration CHECKS = Duration.ofSeconds(3);

  private final SimulatedCluster cluster = new SimulatedCluster();

  @BeforeEach
  void startWithTwoServers() throws IOException {
    cluster.addServer(SLEEPING);
    cluster.addServer(AWAKE);
    cluster.startUp();
    cluster.run(cluster.createTable("b", "c", "d", "e", "f"));
    cluster.letTimePass(CHECKS);
    assertThat(cluster.servers.hosted.get(AWAKE)).containsValue(RegionInfo.META);
    cluster.servers.silent.add(SLEEPING);
    assertThat(served()).isNotEmpty().hasSizeLessThan(6);
  }

  /** Deletes the registrations; the server that is awake restarts. */
  private void wipe() {
    cluster.wipeZooKeeper();
    endProcess(AWAKE);
    cluster.addServer(RESTARTED);
  }

  private void endProcess(ServerName server) {
    cluster.servers.silent.remove(server);
    cluster.servers.hosted.remove(server);
  }

  /** Returns the regions of the table at servers that answer. */
  private Set<String> served() {
    return regions(false);
  }

  private Set<String> regions(boolean silent) {
    Set<String> regions = new TreeSet<>();
    cluster.servers.hosted.forEach(
        (server, hosted) -> {
          if (cluster.servers.silent.contains(server) == silent) {
            hosted.values().stream()
                .filter(region -> region.table().equals(SimulatedCluster.TABLE))
                .map(RegionInfo::encodedName)
                .forEach(regions::add);
          }
        });
    return regions;
  }

  private void assertThatRegionsOpenElsewhereAfterTheLease() {
    cluster.letTimePass(LEASE.minus(CHECKS));
    assertThat(served()).doesNotContainAnyElementsOf(regions(true));
    cluster.letTimePass(CHECKS.multipliedBy(2));
    assertThat(served()).hasSize(6);
  }

  @Test
  void theMasterWaitsForTheLeaseOfTheSleepingServer() {
    wipe();
    cluster.letTimePass(CHECKS);
    assertThat(cluster.recovered).as("the log does not wait").contains(SLEEPING, AWAKE);
    assertThat(served()).as("regions of the server that restarted").isNotEmpty();
    cluster.letTimePass(LEASE.minus(CHECKS.multipliedBy(2)));
    assertThat(served()).isNotEmpty().doesNotContainAnyElementsOf(regions(true));

    cluster.letTimePass(CHECKS.multipliedBy(2));
    assertThat(served()).hasSize(6);
  }

  @Test
  void theNextMasterWaitsForTheDecisionOfTheOneBefore() throws IOException {
    wipe();
    cluster.letTimePass(CHECKS);
    cluster.killMaster();
    cluster.startMaster();

    assertThatRegionsOpenElsewhereAfterTheLease();
  }

  @Test
  void aMasterThatStartsAfterwardsWaits() throws IOException {
    cluster.killMaster();
    wipe();
    cluster.startMaster();

    assertThatRegionsOpenElsewhereAfterTheLease();
  }

  @Test
  void aMasterWaitsAlsoIfTheOneBeforeHasRecoveredTheLog() throws IOException {
    cluster.killMaster();
    wipe();
    cluster.removeLog(SLEEPING);
    cluster.startMaster();

    assertThatRegionsOpenElsewhereAfterTheLease();
  }

  @Test
  void aFailedReadOfTheIdentityIsRepeated() {
    cluster.failReadsOfDataId(5);
    wipe();

    assertThatRegionsOpenElsewhereAfterTheLease();
  }

  @Test
  void regionsOpenAtOnceWhenTheProcessEnds() {
    wipe();
    cluster.letTimePass(CHECKS);
    endProcess(SLEEPING);
    cluster.letTimePass(CHECKS);

    assertThat(served()).hasSize(6);
  }

  @Test
  void regionsOpenAtOnceWhenALaterProcessHasTheAddress() {
    wipe();
    cluster.letTimePass(CHECKS);
    endProcess(SLEEPING);
    cluster.addServer(new ServerName("two", 16020, 2));
    cluster.letTimePass(Duration.ofMillis(10));

    assertThat(served()).hasSize(6);
  }

  @Test
  void aSessionThatEndsForSilenceIsNotWaitedFor() {
    cluster.letTimePass(LEASE.minus(CHECKS));
    cluster.endSession(SLEEPING);
    cluster.letTimePass(Duration.ofMillis(10));

    assertThat(served()).hasSize(6);
  }

  /** Somebody may have deleted this registration alone. */
  @Test
  void aRegistrationThatVanishesBeforeTheSessionCanHaveTimedOutIsWaitedFor() {
    cluster.endSession(SLEEPING);
    assertThatRegionsOpenElsewhereAfterTheLease();
  }

  @Test
  void theNextMasterWaitsForADeletedRegistrationToo() throws IOException {
    cluster.endSession(SLEEPING);
    cluster.letTimePass(Duration.ofMillis(10));
    cluster.killMaster();
    cluster.startMaster();
    assertThatRegionsOpenElsewhereAfterTheLease();
  }

  @Test
  void aServerThatEndsItsSessionAndItsProcessIsNotWaitedFor() {
    cluster.endSession(SLEEPING);
    cluster.letTimePass(Duration.ofMillis(900));
    assertThat(served()).doesNotContainAnyElementsOf(regions(true));
    endProcess(SLEEPING);
    cluster.letTimePass(CHECKS);
    assertThat(served()).hasSize(6);
  }

  @Test
  void theDirectoryMayBeDeletedAfterTheRegistrations() {
    cluster.endSession(SLEEPING);
    cluster.letTimePass(Duration.ofMillis(500));
    wipe();

    assertThatRegionsOpenElsewhereAfterTheLease();
  }

  @Test
  void onceAllIsRecoveredNobodyWaitsForEarlierData() throws IOException {
    wipe();
    cluster.letTimePass(CHECKS);
    endProcess(SLEEPING);
    cluster.addServer(new ServerName("two", 16020, 2));
    cluster.letTimePass(CHECKS);
    cluster.servers.silent.add(RESTARTED);
    cluster.letTimePass(LEASE.minus(CHECKS));
    cluster.endSession(RESTARTED);
    cluster.letTimePass(CHECKS);
    assertThat(served()).hasSize(6);

    cluster.killMaster();
    ServerName third = new ServerName("three", 16020, 1);
    cluster.addServer(third);
    cluster.servers.silent.add(new ServerName("two", 16020, 2));
    cluster.endSession(new ServerName("two", 16020, 2));
    cluster.startMaster();
    cluster.letTimePass(CHECKS);
    assertThat(served()).hasSize(6);
  }

  @Test
  void aServerThatDiesBeforeTheSleepingOneIsRecoveredIsWaitedForToo() {
    ServerName third = new ServerName("three", 16020, 1);
    wipe();
    cluster.addServer(third);
    cluster.letTimePass(CHECKS);
    cluster.servers.silent.add(RESTARTED);
    cluster.endSession(RESTARTED);
    Set<String> left = served();
    cluster.letTimePass(LEASE.minus(CHECKS.multipliedBy(2)));

    assertThat(served()).isEqualTo(left);
  }

  @Test
  void aFolderWithoutAnIdentityIsNotWaitedFor() throws IOException {
    cluster.killMaster();
    wipe();
    cluster.store.of(MasterStore.Section.STATE).remove("cairn/zookeeper-data");
    cluster.startMaster();
    cluster.letTimePass(CHECKS);

    assertThat(served()).hasSize(6);
    assertThat(cluster.store.of(MasterStore.Section.STATE)).containsKey("cairn/zookeeper-data");
  }

  @Test
  void aStartAfterTheEndOfAllProcessesDoesNotWait() throws IOException {
    cluster.killMaster();
    wipe();
    endProcess(SLEEPING);
    cluster.addServer(new ServerName("two", 16020, 2));
    cluster.startMaster();
    cluster.letTimePass(Duration.ofMillis(10));

    assertThat(cluster.master.isInitialized()).isTrue();
    assertThat(served()).hasSize(6);
  }
}
