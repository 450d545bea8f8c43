package dev.cairn.server.master.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.rpc.ManualClock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** New regions have names that no earlier region had. */
class RegionIdsTest {
  @Test
  void anIdIsTheTimeOrHigherThanWhatIsKnown() {
    ManualClock clock = new ManualClock();
    long now = clock.currentTimeMillis();
    RegionIds ids = new RegionIds(clock, 0, List.of());
    assertThat(ids.next(0)).isEqualTo(now);
    assertThat(ids.next(0)).as("the clock stands still").isEqualTo(now + 1);
    assertThat(ids.next(now + 10)).isEqualTo(now + 11);
    assertThat(ids.next(0, 5)).isEqualTo(now + 12);
    assertThat(ids.next(0)).isEqualTo(now + 18);
    clock.advanceMillis(1_000);
    assertThat(ids.next(0)).isEqualTo(now + 1_000);
    assertThat(new RegionIds(clock, now + 5_000, List.of()).next(0)).isEqualTo(now + 5_001);
  }

  @Test
  void aTableThatIsCreatedAgainHasNewNamesAlsoIfTheClockIsSetBack() throws Exception {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
    Set<String> names = new HashSet<>();
    long start = cluster.lanes.currentTimeMillis();
    for (int life = 1; life <= 3; life++) {
      cluster.run(cluster.createTable());
      names.addAll(cluster.openRegions());
      assertThat(names).hasSize(life);
      cluster.run(cluster.setEnabled(false));
      cluster.run(
          new DeleteTableProcedure(
              cluster.active().procedureContext(), "user", SimulatedCluster.TABLE));
      // To the same millisecond.
      cluster.setClockBack(Duration.ofMillis(cluster.lanes.currentTimeMillis() - start));
    }
  }

  @Test
  void aLaterMasterGivesOutOnlyHigherIdsAlsoIfItsEpochIsLower() throws Exception {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
    cluster.letTimePass(Duration.ofMinutes(1));
    long start = cluster.lanes.currentTimeMillis();
    cluster.run(cluster.createTable());
    Set<String> before = cluster.openRegions();
    cluster.run(cluster.setEnabled(false));
    cluster.run(
        new DeleteTableProcedure(
            cluster.active().procedureContext(), "user", SimulatedCluster.TABLE));
    setClock(cluster, start - 60_000);
    cluster.killMaster();
    cluster.startUp();
    assertThat(cluster.active().procedureContext().epoch()).isLessThan(start);
    setClock(cluster, start); // to the same millisecond
    cluster.run(cluster.createTable());
    assertThat(cluster.openRegions()).doesNotContainAnyElementsOf(before);
  }

  private static void setClock(SimulatedCluster cluster, long millis) {
    cluster.setClockBack(Duration.ofMillis(cluster.lanes.currentTimeMillis() - millis));
  }

  @Test
  void aPresentRegionsIdIsNotGivenOutAgain() {
    RegionIds ids = new RegionIds(new ManualClock(), 0, List.of());
    ids.seen(Long.MAX_VALUE / 2);
    assertThat(ids.next(0)).isEqualTo(Long.MAX_VALUE / 2 + 1);
  }
}
