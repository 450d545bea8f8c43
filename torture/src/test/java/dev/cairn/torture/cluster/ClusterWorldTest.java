package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A simulated cluster. */
class ClusterWorldTest {
  @Test
  void withoutFaultsAllIsServedAndRight() {
    try (ClusterRun run = new ClusterRun(1, Set.of(), EnumSet.allOf(FaultKind.class))) {
      ClusterRun.Outcome outcome = run.run(Duration.ofMinutes(30), 0);
      assertThat(outcome.errors()).isEmpty();
      assertThat(outcome.operations()).isGreaterThan(1_000);
      assertThat(outcome.actions()).hasSizeGreaterThan(5);
    }
  }

  @Test
  void theSeedDecidesAll() {
    assertThat(day(3)).isEqualTo(day(3)).isNotEqualTo(day(4));
  }

  private static ClusterRun.Outcome day(long seed) {
    try (ClusterRun run = new ClusterRun(seed, Set.of(), EnumSet.allOf(FaultKind.class))) {
      return run.run(Duration.ofMinutes(2), 4);
    }
  }
}
