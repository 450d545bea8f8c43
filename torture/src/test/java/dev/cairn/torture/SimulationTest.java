package dev.cairn.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Some small worlds with each build; {@code bin/cairn torture} runs them by the hour. A failure
 * names its seed; the system properties {@code cairn.seed}, {@code cairn.rounds} (worlds) and
 * {@code cairn.steps} run it again, or others.
 */
class SimulationTest {
  private static final int WORLDS = Integer.getInteger("cairn.rounds", 2);
  private static final int STEPS = Integer.getInteger("cairn.steps", 500);

  @Test
  void aServerAnswersLikeTheModelWhateverHappens() {
    long first = Long.getLong("cairn.seed", new Random().nextInt(1_000_000_000));
    TortureReport all = new TortureReport();
    for (long seed = first; seed < first + WORLDS; seed++) {
      Simulation world = new Simulation(seed);
      world.run(STEPS); // throws what is wrong
      all.add(world.report());
    }
    assertThat(all.number("comparisons")).as("seed %d", first).isPositive();
  }

  @Test
  void manyThreadsLoseNothingEither() {
    long seed = Long.getLong("cairn.seed", new Random().nextInt(1_000_000_000));
    ConcurrentWorld world = new ConcurrentWorld(seed, Thread::new);
    world.run(4 * STEPS);
    assertThat(world.report().number("comparisons")).as("seed %d", seed).isPositive();
  }

  /** A seed whose world has indexes. */
  @Test
  void scansUseIndexes() {
    IndexUses indexes = new IndexUses();
    Simulation world = new Simulation(20);
    world.run(STEPS);
    assertThat(world.report().number("changes of indexes")).isPositive();
    assertThat(world.report().number("filtered reads")).isPositive();
    assertThat(indexes.taken()).isPositive();
  }

  @Test
  void oneSeedMakesOneRun() {
    String first = reportOf(20);
    assertThat(reportOf(20)).isEqualTo(first);
  }

  private static String reportOf(long seed) {
    Simulation world = new Simulation(seed);
    world.run(100);
    return world.report().text();
  }
}
