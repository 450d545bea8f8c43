package dev.cairn.server.process;

import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.process.metrics.GcPauses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collections of the heap are recorded from the first look on. */
@Timeout(60)
class GcPausesTest {
  private static long count(GcPauses pauses) {
    return pauses.byCollector().values().stream()
        .map(Histogram::snapshot)
        .mapToLong(times -> times.count())
        .sum();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Copy",
        "MarkSweepCompact",
        "PS Scavenge",
        "G1 Young Generation",
        "G1 Old Generation",
        "ZGC Pauses",
        "ZGC Minor Pauses",
        "Shenandoah Pauses"
      })
  void beansOfPausesAreRecorded(String bean) {
    assertThat(GcPauses.isPausing(bean)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "G1 Concurrent GC",
        "ZGC Cycles",
        "ZGC Minor Cycles",
        "ZGC Major Cycles",
        "Shenandoah Cycles"
      })
  void beansOfConcurrentWorkAreNotRecorded(String bean) {
    assertThat(GcPauses.isPausing(bean)).isFalse();
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
