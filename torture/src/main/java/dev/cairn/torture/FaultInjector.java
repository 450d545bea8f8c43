package dev.cairn.torture;

import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.torture.simulation.Machine;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Injects faults of the disk, each for one step. */
final class FaultInjector {
  /** HBase's descriptions of regions have no checksum, and nothing in them that could be one. */
  private static final Predicate<String> CHECKED =
      path ->
          !path.startsWith("WALs/")
              && !path.startsWith("oldWALs/")
              && !path.endsWith(".regioninfo");

  private FaultInjector() {}

  /** Adds any fault that a running server must tolerate. */
  static void any(RandomGenerator random, Machine machine) {
    if (random.nextInt(8) == 0) {
      machine.fill(random.nextInt(3) == 0 ? 0 : random.nextInt(20_000));
    } else {
      failures(random, machine);
    }
  }

  /** Adds any fault but a full disk. */
  static void failures(RandomGenerator random, Machine machine) {
    if (random.nextInt(6) == 0) {
      flippedBits(random, machine);
    } else {
      errors(random, machine);
    }
  }

  private static void errors(RandomGenerator random, Machine machine) {
    List<StorageOperation> kinds = List.of(StorageOperation.values());
    FaultRule rule =
        random.nextBoolean()
            ? FaultRule.anything()
            : FaultRule.of(kinds.get(random.nextInt(kinds.size())));
    machine
        .faults()
        .add(
            switch (random.nextInt(3)) {
              case 0 -> rule.nth(1 + random.nextInt(8));
              case 1 -> rule.fromNth(1 + random.nextInt(20));
              default -> rule.withProbability(0.02 + random.nextDouble() * 0.3);
            });
  }

  /**
   * Flips bits in files. Among a log's last entries, a flipped bit looks like the torn tail of a
   * crash; everywhere else it must be detected.
   */
  private static void flippedBits(RandomGenerator random, Machine machine) {
    machine
        .faults()
        .add(
            FaultRule.of(StorageOperation.READ)
                .how(Manner.FLIPPED_BIT)
                .onPath(CHECKED)
                .withProbability(0.05 + random.nextDouble() * 0.5));
  }
}
