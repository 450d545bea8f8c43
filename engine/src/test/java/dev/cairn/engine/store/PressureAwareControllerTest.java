package dev.cairn.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.engine.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests the duration of a compaction whose own work takes no time. */
class PressureAwareControllerTest {
  private static final long MB = 1 << 20;
  private static final int CELL_BYTES = 1_000;
  private static final long TUNE_MILLIS = 10_000;
  private static final BooleanSupplier GO_ON = () -> false;
  private static final Offset<Double> CLOSE = within(0.1);

  private final TestClock clock = new TestClock();
  private long longestNapNanos;

  @Test
  void writesWithTheLowestRateWhileNoStoreIsInNeed() {
    ThroughputController pace = pace(OffPeakHours.NONE);
    pace.watch(() -> 0);
    assertThat(seconds(pace, 100 * MB)).isCloseTo(10, CLOSE);
  }

  @Test
  void waitsLittleAndOftenInsteadOfSeldomAndLong() {
    seconds(pace(OffPeakHours.NONE), 100 * MB);
    assertThat(longestNapNanos).isLessThan(TimeUnit.MILLISECONDS.toNanos(30));
  }

  @Test
  void writesTheFasterTheMoreTheNeediestStoreIsInNeed() {
    ThroughputController pace = pace(OffPeakHours.NONE);
    pace.watch(() -> 0);
    pace.watch(() -> 0.5);
    assertThat(seconds(pace, 100 * MB)).isCloseTo(5, CLOSE);
  }

  @Test
  void nothingHoldsItUpOnceFlushesWaitForIt() {
    ThroughputController pace = pace(OffPeakHours.NONE);
    pace.watch(() -> 1.1);
    assertThat(seconds(pace, 100 * MB)).isZero();
  }

  @Test
  void aStoreThatIsClosedCountsNoMore() {
    ThroughputController pace = pace(OffPeakHours.NONE);
    DoubleSupplier closed = () -> 2;
    pace.watch(closed);
    pace.forget(closed);
    assertThat(seconds(pace, 100 * MB)).isCloseTo(10, CLOSE);
  }

  @Test
  void looksAtTheStoresAgainAfterAWhile() {
    double[] pressure = {0};
    ThroughputController pace = pace(OffPeakHours.NONE);
    pace.watch(() -> pressure[0]);
    seconds(pace, MB);
    pressure[0] = 1;
    assertThat(seconds(pace, 10 * MB)).as("not yet").isCloseTo(1, CLOSE);
    clock.nanos += TimeUnit.MILLISECONDS.toNanos(TUNE_MILLIS);
    assertThat(seconds(pace, 30 * MB)).isCloseTo(1, CLOSE);
  }

  @Test
  void compactionsAtTheSameTimeShareTheRate() {
    ThroughputController pace = pace(OffPeakHours.NONE);
    ThroughputController.Run other = pace.begin();
    assertThat(seconds(pace, 10 * MB)).isCloseTo(2, CLOSE);
    other.close();
    assertThat(seconds(pace, 10 * MB)).isCloseTo(1, CLOSE);
  }

  @Test
  void whatWasSlowByItselfDoesNotWait() {
    ThroughputController.Run run = pace(OffPeakHours.NONE).begin();
    for (int i = 0; i < 100; i++) {
      clock.nanos += TimeUnit.SECONDS.toNanos(1);
      run.wrote((int) MB, GO_ON);
    }
    assertThat(clock.nanos).isEqualTo(TestClock.BEGIN + TimeUnit.SECONDS.toNanos(100));
  }

  @Test
  void aRateOfItsOwnHoldsAtOffPeakHours() {
    ThroughputController pace = pace(new OffPeakHours(22, 6));
    clock.millis = TimeUnit.HOURS.toMillis(23);
    assertThat(seconds(pace, 100 * MB)).isCloseTo(2, CLOSE);
    clock.nanos += TimeUnit.MILLISECONDS.toNanos(TUNE_MILLIS);
    clock.millis = TimeUnit.HOURS.toMillis(6);
    assertThat(seconds(pace, 100 * MB)).isCloseTo(10, CLOSE);
  }

  @Test
  void oneThatIsToStopWaitsNoLonger() {
    PressureAwareController pace =
        new PressureAwareController(
            new PressureAwareController.Limits(1, 1, 1, OffPeakHours.NONE, TUNE_MILLIS),
            clock,
            ZoneOffset.UTC,
            nanos -> clock.nanos += nanos);
    boolean[] stop = {false};
    try (ThroughputController.Run run = pace.begin()) {
      long begun = clock.nanos;
      run.wrote(
          (int) MB,
          () -> {
            boolean before = stop[0];
            stop[0] = true;
            return before;
          });
      assertThat(Duration.ofNanos(clock.nanos - begun)).isLessThan(Duration.ofMillis(100));
    }
  }

  @Test
  void offPeakHoursMayContainMidnight() {
    assertThat(new OffPeakHours(9, 17).contains(9)).isTrue();
    assertThat(new OffPeakHours(9, 17).contains(17)).isFalse();
    assertThat(new OffPeakHours(22, 6).contains(0)).isTrue();
    assertThat(new OffPeakHours(22, 6).contains(12)).isFalse();
    assertThat(new OffPeakHours(OffPeakHours.NOT_SET, 6).contains(3)).isFalse();
    assertThat(OffPeakHours.NONE.contains(3)).isFalse();
  }

  @Test
  void changedLimitsHoldAtOnce() {
    AtomicReference<PressureAwareController.Limits> limits = new AtomicReference<>(limits(10 * MB));
    ThroughputController pace =
        new PressureAwareController(
            limits::get, clock, ZoneOffset.UTC, nanos -> clock.nanos += nanos);
    assertThat(seconds(pace, 100 * MB)).isCloseTo(10, within(0.5));
    limits.set(limits(20 * MB));
    assertThat(seconds(pace, 100 * MB)).isCloseTo(5, within(0.5));
    limits.set(PressureAwareController.Limits.NONE);
    assertThat(seconds(pace, 100 * MB)).isCloseTo(0, within(0.01));
  }

  private static PressureAwareController.Limits limits(long lowest) {
    return new PressureAwareController.Limits(
        lowest, 30 * MB, 50 * MB, OffPeakHours.NONE, TUNE_MILLIS);
  }

  private PressureAwareController pace(OffPeakHours hours) {
    return new PressureAwareController(
        new PressureAwareController.Limits(10 * MB, 30 * MB, 50 * MB, hours, TUNE_MILLIS),
        clock,
        ZoneOffset.UTC,
        nanos -> {
          longestNapNanos = Math.max(longestNapNanos, nanos);
          clock.nanos += nanos;
        });
  }

  private double seconds(ThroughputController pace, long bytes) {
    long begun = clock.nanos;
    try (ThroughputController.Run run = pace.begin()) {
      for (long written = 0; written < bytes; written += CELL_BYTES) {
        run.wrote(CELL_BYTES, GO_ON);
      }
    }
    return (clock.nanos - begun) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  private static final class TestClock implements Clock {
    static final long BEGIN = Long.MAX_VALUE - 5; // it may run over

    private long nanos = BEGIN;
    private long millis;

    @Override
    public long currentTimeMillis() {
      return millis;
    }

    @Override
    public long nanoTime() {
      return nanos;
    }
  }
}
