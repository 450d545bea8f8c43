package dev.cairn.server.master.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.rpc.ManualClock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** New regions have names that no earlier region had. */
class RegionIdsTest {
  @Test
  void anIdIsTheTimeOrHigherThanWhatIsKnown() {
    ManualClock clock = new ManualClock();
    long now = clock.currentTimeMillis();
    RegionIds ids = new RegionIds(clock, 0);
    assertThat(ids.next(0)).isEqualTo(now);
    assertThat(ids.next(0)).as("the clock stands still").isEqualTo(now + 1);
    assertThat(ids.next(now + 10)).isEqualTo(now + 11);
    assertThat(ids.next(0, 5)).isEqualTo(now + 12);
    assertThat(ids.next(0)).isEqualTo(now + 18);
    clock.advanceMillis(1_000);
    assertThat(ids.next(0)).isEqualTo(now + 1_000);
    assertThat(new RegionIds(clock, now + 5_000).next(0)).isEqualTo(now + 5_001);
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
          new DeleteTableProcedure(cluster.active().environment(), "user", SimulatedCluster.TABLE));
      // To the same millisecond.
      cluster.setClockBack(Duration.ofMillis(cluster.lanes.currentTimeMillis() - start));
    }
  }
}
