package dev.cairn.torture;

import org.junit.jupiter.api.Test;

/** Some worlds, each run. */
class SimulationTest {
  @Test
  void aServerAnswersLikeTheModelWhateverHappens() {
    long first = Long.getLong("cairn.seed", System.nanoTime());
    int worlds = Integer.getInteger("cairn.worlds", 5);
    for (long seed = first; seed < first + worlds; seed++) {
      new Simulation(seed, step -> false).run(Integer.getInteger("cairn.steps", 1000));
    }
  }
}
