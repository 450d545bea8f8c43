package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.torture.IndexUses;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All kinds of faults come at random; nothing is lost, and all is served again after them. The
 * system property {@code cairn.rounds} sets the number of seeds, and {@code -Dgroups=long} takes
 * many.
 */
@Tag("forms")
class MixedFaultsTest {
  private static final Duration TIME = Duration.ofHours(2);
  private static final int FAULTS = 40;
  private static final long FIRST_SEED = 1;
  private static final int SEEDS =
      Integer.getInteger("cairn.rounds", Boolean.getBoolean("cairn.long") ? 50 : 1);

  static LongStream seeds() {
    return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nothingIsLostOrStuck(long seed) {
    IndexUses indexes = new IndexUses();
    try (ClusterRun run = new ClusterRun(seed, Set.of(), EnumSet.allOf(FaultKind.class))) {
      ClusterRun.Outcome outcome = run.run(TIME, FAULTS);
      assertThat(outcome.errors())
          .as(() -> String.join("\n", run.world().parts().events()))
          .isEmpty();
      assertThat(outcome.faults()).hasSizeGreaterThan(10);
      assertThat(outcome.operations()).isGreaterThan(1_000);
      assertThat(outcome.snapshots()).isPositive();
      assertThat(outcome.restores()).isPositive();
      assertThat(outcome.bulkLoads()).isGreaterThan(10);
      assertThat(outcome.filteredScans()).isGreaterThan(100);
      assertThat(indexes.taken()).isGreaterThan(100);
    }
  }
}
