package dev.cairn.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.metrics.Histogram.HistogramReading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HistogramTest {
  private final Histogram histogram = new Histogram();

  @Test
  void everyValueLiesInItsBucket() {
    LongStream.concat(
            LongStream.of(0, 1, 15, 16, 17, 31, 32, 33, 1 << 20, Histogram.MAX),
            new SplittableRandom(1).longs(10_000, 0, Histogram.MAX))
        .forEach(
            value -> {
              int bucket = Histogram.bucket(value);
              assertThat(value)
                  .isGreaterThanOrEqualTo(Histogram.lowerBound(bucket))
                  .isLessThan(Histogram.lowerBound(bucket + 1));
            });
  }

  @Test
  void percentilesAreAtMostASixteenthTooHigh() {
    SplittableRandom random = new SplittableRandom(2);
    long[] values =
        LongStream.generate(() -> (long) Math.exp(random.nextDouble(25))).limit(10_000).toArray();
    Arrays.stream(values).forEach(histogram::record);
    Arrays.sort(values);
    HistogramSnapshot snapshot = histogram.snapshot();
    for (double part : new double[] {0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1}) {
      long exact = values[(int) Math.ceil(part * values.length) - 1];
      assertThat(snapshot.percentile(part)).isBetween(exact, exact + exact / 16);
    }
    assertThat(snapshot.count()).isEqualTo(10_000);
    assertThat(snapshot.sum()).isEqualTo(Arrays.stream(values).sum());
    assertThat(snapshot.min()).isBetween(values[0] - values[0] / 16, values[0]);
  }

  @Test
  void countsBelowPowersOfTwoAreExact() {
    for (long value : new long[] {0, 1023, 1024, 1025, 5000}) {
      histogram.record(value);
    }
    HistogramSnapshot snapshot = histogram.snapshot();
    assertThat(snapshot.countBelow(1024)).isEqualTo(2);
    assertThat(snapshot.countBelow(2048)).isEqualTo(4);
    assertThat(snapshot.countBelow(8192)).isEqualTo(5);
  }

  @Test
  void valuesOutsideOfTheRangeCountAsItsEnds() {
    histogram.record(-5);
    histogram.record(Long.MAX_VALUE);
    assertThat(histogram.snapshot().min()).isZero();
    assertThat(histogram.snapshot().max()).isEqualTo(Histogram.MAX);
  }

  @Test
  void aWindowLastsTenSecondsOrMore() {
    long begin = TimeUnit.HOURS.toNanos(-1); // a clock may begin anywhere
    histogram.record(1);
    assertThat(histogram.read(begin).recent().count()).isEqualTo(1);
    histogram.record(2);
    histogram.record(3);
    HistogramReading within = histogram.read(begin + TimeUnit.SECONDS.toNanos(9));
    assertThat(within.total().count()).isEqualTo(3);
    assertThat(within.recent().count()).isEqualTo(1);
    HistogramReading after = histogram.read(begin + TimeUnit.SECONDS.toNanos(10));
    assertThat(after.recent().count()).isEqualTo(2);
    assertThat(after.recent().min()).isEqualTo(2);
  }

  @Test
  void sumsOfSnapshotsHaveTheValuesOfBoth() {
    Histogram other = new Histogram();
    histogram.record(10);
    other.record(1_000_000);
    HistogramSnapshot both = histogram.snapshot().plus(other.snapshot());
    assertThat(both.count()).isEqualTo(2);
    assertThat(both.min()).isEqualTo(10);
    assertThat(both.sum()).isEqualTo(1_000_010);
    assertThat(both.minus(histogram.snapshot()).count()).isEqualTo(1);
    assertThat(HistogramSnapshot.EMPTY.plus(both).count()).isEqualTo(2);
  }

  @Test
  void theValuesOfAllThreadsCount() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      long value = 1L << (8 * i);
      Histogram.Part part = histogram.part();
      threads.add(
          new Thread(
              () -> {
                for (int n = 0; n < 50_000; n++) {
                  part.record(value);
                  histogram.record(value);
                }
              }));
    }
    threads.forEach(Thread::start);
    long seen = 0;
    for (int i = 0; i < 100; i++) {
      long now = histogram.snapshot().count();
      assertThat(now).isGreaterThanOrEqualTo(seen);
      seen = now;
    }
    for (Thread thread : threads) {
      thread.join();
    }
    HistogramSnapshot snapshot = histogram.snapshot();
    assertThat(snapshot.count()).isEqualTo(4 * 100_000);
    assertThat(snapshot.sum())
        .isEqualTo(100_000L * ((1L << 8) + (1L << 16) + (1L << 24) + (1L << 32)));
    assertThat(snapshot.min()).isEqualTo(1L << 8);
  }

  @Test
  void aPartCountsValuesOutsideOfTheRangeAsItsEnds() {
    Histogram.Part part = histogram.part();
    part.record(-5);
    part.record(Long.MAX_VALUE);
    assertThat(histogram.snapshot().min()).isZero();
    assertThat(histogram.snapshot().max()).isEqualTo(Histogram.MAX);
  }
}
