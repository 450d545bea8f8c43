package dev.cairn.server.master.members;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.server.catalog.LogWait;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.SimulatedCoordination;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.rpc.LoggedLines;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Region servers that run while their logs write nothing. */
class StuckLogsTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);
  private static final Duration SESSION = SimulatedCoordination.SESSION_TIMEOUT;
  private static final Duration LIMIT = Duration.ofSeconds(6);
  private static final Duration TICK = Duration.ofMillis(500);

  @RegisterExtension final LoggedLines lines = new LoggedLines(StuckLogs.class);

  private final SimulatedCluster cluster = new SimulatedCluster();

  /** For how long the log of each server has waited. */
  private final Map<ServerName, Duration> waits = new HashMap<>();

  private void start(ServerName... servers) throws IOException {
    cluster.members = MemberSettings.oneServer(Duration.ofSeconds(3)).givingUpAfter(LIMIT);
    for (ServerName server : servers) {
      cluster.addServer(server);
      waits.put(server, Duration.ZERO);
    }
    cluster.startUp();
    cluster.run(cluster.createTable("b", "c", "d", "e", "f"));
    report(Duration.ofSeconds(5));
  }

  /** Lets time pass while the servers report as usual. */
  private void report(Duration duration, ServerName... waiting) {
    Set<ServerName> stuck = Set.of(waiting);
    cluster.servers.stuck.addAll(stuck);
    for (Duration passed = Duration.ZERO;
        passed.compareTo(duration) < 0;
        passed = passed.plus(TICK)) {
      pass(TICK);
      for (ServerName server : waits.keySet()) {
        waits.compute(
            server, (name, wait) -> stuck.contains(name) ? wait.plus(TICK) : Duration.ZERO);
        if (isLive(server)) {
          send(server, waits.get(server));
        }
      }
    }
    cluster.letTimePass(Duration.ofMillis(1));
  }

  private void pass(Duration time) {
    cluster.master.loop().after(time, () -> {}); // so that time passes
    cluster.letTimePass(time);
  }

  private void send(ServerName server, Duration wait) {
    cluster
        .master
        .loop()
        .post(() -> cluster.active().members().reported(server, Optional.empty(), wait));
  }

  private boolean isLive(ServerName server) {
    return cluster.active().servers().isLive(server);
  }

  /** Returns the regions of the table at servers that answer the master. */
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

  @Test
  void aServerWhoseLogIsStuckWhileOthersWorkIsGivenUp() throws IOException {
    start(ONE, TWO, THREE);
    report(LogWait.NOTABLE.plus(LIMIT.dividedBy(2)).minus(TICK), ONE);
    assertThat(cluster.sealedEarly).isEmpty();
    report(LIMIT.dividedBy(2).minus(LogWait.NOTABLE), ONE);
    assertThat(cluster.sealedEarly).containsExactly(ONE);
    assertThat(isLive(ONE)).isTrue();
    report(TICK.multipliedBy(2), ONE);
    assertThat(isLive(ONE)).isFalse();
    cluster.letTimePass(Duration.ofSeconds(3));

    assertThat(cluster.registered()).containsExactlyInAnyOrder(TWO, THREE);
    assertThat(cluster.recovered).containsExactly(ONE);
    assertThat(served()).hasSize(6);
  }

  @Test
  void itsRegionsOpenElsewhereOnlyWhenItCanNoLongerAnswer() throws IOException {
    start(ONE, TWO, THREE);
    report(LIMIT.minus(TICK), ONE);
    cluster.servers.silent.add(ONE); // hears neither the master nor ZooKeeper
    Set<String> left = served();
    report(TICK, ONE);
    assertThat(isLive(ONE)).isFalse();
    cluster.letTimePass(SESSION.minus(TICK.multipliedBy(2)));
    assertThat(cluster.recovered).containsExactly(ONE);
    assertThat(served()).isEqualTo(left).hasSizeLessThan(6);

    cluster.letTimePass(TICK.multipliedBy(4));
    assertThat(served()).hasSize(6);
  }

  @Test
  void whenAllLogsWaitAllServersKeepTheirRegions() throws IOException {
    start(ONE, TWO, THREE);
    report(LIMIT.multipliedBy(10), ONE, TWO, THREE);
    assertThat(cluster.registered()).containsExactlyInAnyOrder(ONE, TWO, THREE);
  }

  @Test
  void aMinorityWhoseLogsWorkDoesNotTakeTheRegionsOfTheOthers() throws IOException {
    start(ONE, TWO, THREE);
    report(LIMIT.multipliedBy(10), ONE, TWO);
    assertThat(cluster.registered()).containsExactlyInAnyOrder(ONE, TWO, THREE);
  }

  @Test
  void theLastServerIsNotGivenUp() throws IOException {
    start(ONE);
    report(LIMIT.multipliedBy(10), ONE);
    assertThat(cluster.registered()).containsExactly(ONE);
  }

  @Test
  void aMasterWhoseOwnLogTakesNothingGivesNobodyUp() throws IOException {
    start(ONE, TWO, THREE);
    cluster.lanes.held = Optional.of(Lane.STORE);
    report(LIMIT.multipliedBy(10), ONE); // the other servers have nothing to write
    cluster.lanes.held = Optional.empty();
    report(LIMIT);
    assertThat(cluster.registered()).containsExactlyInAnyOrder(ONE, TWO, THREE);
    assertThat(cluster.recovered).isEmpty();
  }

  @Test
  void aLogThatWaitsAgainAndAgainIsNotStuck() throws IOException {
    start(ONE, TWO, THREE);
    for (int i = 0; i < 10; i++) {
      report(LIMIT.minus(TICK), ONE);
      report(TICK);
    }
    assertThat(isLive(ONE)).isTrue();
  }

  @Test
  void aServerThatWakesFromAPauseIsNotGivenUpForItsFirstReport() throws IOException {
    start(ONE, TWO, THREE);
    send(ONE, LIMIT.plusSeconds(1));
    pass(TICK); // with a successful check of HDFS
    report(LIMIT);
    assertThat(isLive(ONE)).isTrue();
    assertThat(cluster.sealedEarly).isEmpty();
    assertThat(lines.all()).noneMatch(line -> line.startsWith("WARN"));
  }

  @Test
  void reportsThatComeLateTogetherCountAsOne() throws IOException {
    start(ONE, TWO, THREE);
    for (Duration wait = LogWait.NOTABLE;
        wait.compareTo(LIMIT.multipliedBy(2)) <= 0;
        wait = wait.plus(TICK)) {
      send(ONE, wait);
    }
    pass(TICK);
    report(LIMIT);
    assertThat(isLive(ONE)).isTrue();
    assertThat(cluster.sealedEarly).isEmpty();
    assertThat(lines.all()).noneMatch(line -> line.startsWith("WARN"));
  }

  @Test
  void aReportBeforeAPauseDoesNotCountWithTheOneAfterIt() throws IOException {
    start(ONE, TWO, THREE);
    report(TICK.multipliedBy(3), ONE);
    waits.remove(ONE); // it reports nothing
    report(LIMIT);
    send(ONE, LIMIT.plusSeconds(2));
    pass(TICK);
    assertThat(isLive(ONE)).isTrue();
    assertThat(cluster.sealedEarly).isEmpty();
  }

  @Test
  void whileHdfsTakesNoNewFilesNobodyIsGivenUp() throws IOException {
    start(ONE, TWO, THREE);
    // As in safe mode: open files take entries, and files can be read.
    cluster.storageFault = (operation, path) -> operation == StorageOperation.CREATE;
    report(LIMIT.multipliedBy(10), ONE);
    assertThat(isLive(ONE)).isTrue();
    assertThat(cluster.sealedEarly).isEmpty();

    cluster.storageFault = (operation, path) -> false;
    report(TICK.multipliedBy(4), ONE);
    assertThat(isLive(ONE)).isFalse();
  }

  @Test
  void filesOfALogThatWorksAgainBeforeTheSealBeginsAreNotSealed() throws IOException {
    start(ONE, TWO, THREE);
    Duration untilSeal = LogWait.NOTABLE.plus(LIMIT.dividedBy(2));
    report(untilSeal.minus(TICK), ONE);
    pass(TICK);
    send(ONE, untilSeal);
    send(ONE, Duration.ZERO); // the seal has not begun yet
    report(LIMIT);
    assertThat(cluster.sealedEarly).isEmpty();
  }

  @Test
  void serversAreGivenUpOneAfterTheOther() throws IOException {
    start(ONE, TWO, THREE, new ServerName("four", 16020, 1));
    report(LIMIT.plus(TICK), ONE, TWO);
    assertThat(cluster.registered()).hasSize(3);
    report(StuckLogs.PAUSE.dividedBy(2), ONE, TWO);
    assertThat(cluster.registered()).hasSize(3);
    report(StuckLogs.PAUSE.multipliedBy(2), ONE, TWO);
    assertThat(cluster.registered())
        .containsExactlyInAnyOrder(THREE, new ServerName("four", 16020, 1));
  }

  @Test
  void withoutALimitNobodyIsGivenUp() throws IOException {
    start(ONE, TWO, THREE);
    cluster.members = cluster.members.givingUpAfter(Duration.ZERO);
    cluster.killMaster();
    cluster.startMaster();
    report(LIMIT.multipliedBy(10), ONE);
    assertThat(isLive(ONE)).isTrue();
  }
}
