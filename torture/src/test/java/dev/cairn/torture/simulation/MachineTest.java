package dev.cairn.torture.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A life ends once; the first crash decides what the next life finds. */
class MachineTest {
  private final SplittableRandom random = new SplittableRandom(1);
  private final Machine machine = new Machine(EngineSettings.random(random), random.split(), false);

  @Test
  void aKillThatHasHappenedIsNoPowerCut() {
    machine.crashAfter(0, Crash.KILL, random);
    assertThatThrownBy(() -> machine.disk().create("data/file"))
        .isInstanceOf(MachineGoneException.class);
    assertThat(machine.crash(Crash.POWER_CUT, random)).isEqualTo(Crash.KILL);
  }

  @Test
  void aPlannedKillThatHasNotHappenedDoesNotCount() {
    machine.crashAfter(100, Crash.KILL, random);
    assertThat(machine.crash(Crash.POWER_CUT, random)).isEqualTo(Crash.POWER_CUT);
  }
}
