package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.NoSuchElementException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void percentilesAreThoseOfTheHistogramInMicroseconds() {
    Latencies latencies = Latencies.of("READ", upTo(100_000), 1000);

    assertThat(latencies.count()).isEqualTo(100_000);
    assertThat(latencies.micros(50)).isCloseTo(50.0, within(0.1));
    assertThat(latencies.micros(99)).isCloseTo(99.0, within(0.1));
    assertThat(latencies.micros(99.99)).isCloseTo(99.99, within(0.1));
    assertThat(latencies.maxMicros()).isCloseTo(100.0, within(0.1));
  }

  @Test
  void percentilesThatTooFewOperationsCannotTellAreLeftOut() {
    Latencies latencies = Latencies.of("READ", upTo(500), 1000);

    assertThat(latencies.tells(99)).isTrue();
    assertThat(latencies.tells(99.9)).isFalse();
    assertThatThrownBy(() -> latencies.micros(99.9)).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void nothingRecordedIsRefused() {
    assertThatThrownBy(() -> Latencies.of("READ", new Histogram(3), 1000))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Histogram upTo(long highest) {
    Histogram nanos = new Histogram(3);
    for (long value = 1; value <= highest; value++) {
      nanos.recordValue(value);
    }
    return nanos;
  }
}
