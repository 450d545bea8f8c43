package dev.cairn.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.PhaseTimes.Phase;
import dev.cairn.engine.time.PhaseTimes.Waits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PhaseTimesTest {
  private final PhaseTimes times = new PhaseTimes();

  @AfterEach
  void leave() {
    PhaseTimes.leave();
  }

  @Test
  void waitsOfAPhaseAddUp() {
    times.enter();
    PhaseTimes.ended(Phase.BLOCKS, 10, 14);
    PhaseTimes.ended(Phase.BLOCKS, 20, 21);
    PhaseTimes.ended(Phase.LOG, 30, 35);
    assertThat(times.phases())
        .containsEntry(Phase.BLOCKS, new Waits(10, 21, 5, 2))
        .containsEntry(Phase.LOG, new Waits(30, 35, 5, 1))
        .doesNotContainKey(Phase.LOCK);
  }

  @Test
  void aWaitIsMeasuredOnlyWhileAnOperationIsCurrent() {
    PhaseTimes.begin(Phase.LOCK, Clock.SYSTEM).close();
    assertThat(times.phases()).isEmpty();
    times.enter();
    PhaseTimes.begin(Phase.LOCK, Clock.SYSTEM).close();
    assertThat(times.phases().get(Phase.LOCK).count()).isEqualTo(1);
    PhaseTimes.leave();
    PhaseTimes.begin(Phase.LOCK, Clock.SYSTEM).close();
    assertThat(times.phases().get(Phase.LOCK).count()).isEqualTo(1);
  }
}
