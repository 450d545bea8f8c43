package dev.cairn.engine.wal.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SequenceRangesTest {
  @Test
  void itHoldsWhatASetHolds() {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      SequenceRanges ranges = new SequenceRanges();
      Set<Long> expected = new HashSet<>();
      SequenceRanges others = new SequenceRanges();
      for (int i = random.nextInt(40); i > 0; i--) {
        long sequence = random.nextInt(30);
        (random.nextBoolean() ? ranges : others).add(sequence);
        expected.add(sequence);
      }
      ranges.addAll(others);
      for (long sequence = -2; sequence < 33; sequence++) {
        assertThat(ranges.contains(sequence))
            .as("seed %d, round %d, %d", seed, round, sequence)
            .isEqualTo(expected.contains(sequence));
      }
    }
  }
}
