package dev.cairn.server.process;

import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.metrics.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Collections of the heap are recorded from the first look on. */
@Timeout(60)
class GcPausesTest {
  private static long count(GcPauses pauses) {
    return pauses.byCollector().values().stream()
        .map(Histogram::snapshot)
        .mapToLong(times -> times.count())
        .sum();
  }

  @Test
  void aCollectionIsCounted() {
    try (GcPauses pauses = new GcPauses()) {
      assertThat(count(pauses)).isZero();
      System.gc();
      waitUntil(() -> count(pauses) > 0);
    }
  }
}
