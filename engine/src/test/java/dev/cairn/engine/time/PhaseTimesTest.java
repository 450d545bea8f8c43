package dev.cairn.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.PhaseTimes.Phase;
import dev.cairn.engine.time.PhaseTimes.Waits;
import org.junit.jupiter.api.Test;

class PhaseTimesTest {
  private final PhaseTimes times = new PhaseTimes();

  @Test
  void waitsOfAPhaseAddUp() {
    try (PhaseTimes.Current current = PhaseTimes.enter(() -> times)) {
      PhaseTimes.readFromDisk(100, 10, 14);
      PhaseTimes.readFromDisk(30, 20, 21);
    }
    times.record(Phase.LOG, 30, 35);
    assertThat(times.phases())
        .containsEntry(Phase.BLOCKS, new Waits(10, 21, 5, 2))
        .containsEntry(Phase.LOG, new Waits(30, 35, 5, 1))
        .doesNotContainKey(Phase.LOCK);
    assertThat(times.waits(Phase.LOCK).nanos()).isZero();
    assertThat(times.diskBytes()).isEqualTo(130);
  }

  @Test
  void blocksFromTheCacheCountWithoutATime() {
    try (PhaseTimes.Current current = PhaseTimes.enter(() -> times)) {
      PhaseTimes.readFromCache(2, 100);
      PhaseTimes.readFromCache(1, 50);
    }
    assertThat(times.phases()).isEmpty();
    assertThat(times.cachedBlocks()).isEqualTo(3);
    assertThat(times.cachedBytes()).isEqualTo(150);
  }

  @Test
  void aWaitIsMeasuredOnlyWhileAnOperationIsCurrent() {
    PhaseTimes.begin(Phase.LOCK, Clock.SYSTEM).close();
    PhaseTimes.readFromCache(1, 1);
    PhaseTimes.readFromDisk(1, 1, 2);
    try (PhaseTimes.Current current = PhaseTimes.enter(() -> times)) {
      PhaseTimes.begin(Phase.LOCK, Clock.SYSTEM).close();
    }
    PhaseTimes.begin(Phase.LOCK, Clock.SYSTEM).close();
    assertThat(times.waits(Phase.LOCK).count()).isEqualTo(1);
    assertThat(times.phases()).containsOnlyKeys(Phase.LOCK);
    assertThat(times.cachedBlocks()).isZero();
  }

  @Test
  void theTimeOfHooksIsWithoutTheWaitsWithinThem() {
    assertThat(PhaseTimes.waitedNanos()).isZero();
    PhaseTimes.ranHooks(1, 2, 0, 0);
    try (PhaseTimes.Current current = PhaseTimes.enter(() -> times)) {
      times.record(Phase.LOCK, 0, 7);
      long before = PhaseTimes.waitedNanos();
      PhaseTimes.readFromDisk(1, 20, 30);
      PhaseTimes.ranHooks(10, 110, 5, before);
      assertThat(before).isEqualTo(7);
      assertThat(PhaseTimes.hookNanos()).isEqualTo(100 - 10 - 5);
    }
    assertThat(times.phases()).containsEntry(Phase.HOOKS, new Waits(10, 110, 85, 1));
    assertThat(PhaseTimes.hookNanos()).isZero();
  }
}
