package dev.cairn.server.loadsplit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.server.loadsplit.LoadSampler.Call;
import dev.cairn.server.rpc.ManualClock;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Samples are few, and stand for all calls. */
class LoadSamplerTest {
  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @BeforeEach
  void printSeed() {
    System.out.println("seed " + seed);
  }

  @Test
  void estimatesRatesOfAnyHeightFromFewSamples() {
    for (int perSecond : new int[] {1, 100, 5_000, 500_000}) {
      SimulatedLoad load = new SimulatedLoad(random, perSecond);
      for (int i = 0; i < 5; i++) {
        load.second(() -> 1); // the stride follows the load
      }
      double requests = 0;
      double bytes = 0;
      int samples = 0;
      for (int i = 0; i < 20; i++) {
        LoadSlice slice = load.second(() -> 1);
        requests += slice.sum(LoadMeasure.REQUESTS) / 20;
        bytes += slice.sum(LoadMeasure.BYTES) / 20;
        samples = Math.max(samples, slice.samples().size());
      }
      assertThat(requests).isCloseTo(perSecond, Percentage.withPercentage(20));
      assertThat(bytes).isCloseTo(requests * SimulatedLoad.ROW_BYTES, within(1.0));
      assertThat(samples).isBetween(1, 800);
    }
  }

  @Test
  void followsASuddenLoadWithinTheSlice() {
    SimulatedLoad load = new SimulatedLoad(random, 1_000_000);
    LoadSlice slice = load.second(() -> 1);
    assertThat(slice.samples()).hasSizeLessThan(4_000);
    assertThat(slice.sum(LoadMeasure.REQUESTS)).isCloseTo(1_000_000, Percentage.withPercentage(50));
  }

  @Test
  void countsEachMutationOfBatches() {
    for (int rows : new int[] {1, 10, 1_000}) {
      ManualClock clock = new ManualClock();
      LoadSampler sampler = new LoadSampler(clock, () -> 0, random::nextInt);
      double requests = 0;
      for (int second = 0; second < 20; second++) {
        for (int i = 0; i < 20_000 / rows; i++) {
          int samples = sampler.samples(rows);
          for (int sample = 0; sample < samples; sample++) {
            sampler.add(
                SimulatedLoad.row(1),
                new Call(LoadSample.Kind.GET, rows, rows, rows, rows),
                samples);
          }
        }
        clock.advanceMillis(1_000);
        requests += sampler.next().sum(LoadMeasure.REQUESTS) / 20;
      }
      assertThat(requests).isCloseTo(20_000, Percentage.withPercentage(25));
    }
  }

  @Test
  void sharesTheLoadOfAScanByItsRows() {
    SimulatedLoad load = new SimulatedLoad(random, 1_000);
    LoadSlice slice = load.secondOfScans(() -> 0, 100);
    double upper = 0;
    for (LoadSample sample : slice.samples()) {
      assertThat(sample.low()).isEqualTo(SimulatedLoad.row(0));
      assertThat(sample.high()).isEqualTo(SimulatedLoad.row(99));
      upper += SimulatedLoad.number(sample.row()) >= 50 ? sample.bytes() : 0;
    }
    assertThat(upper / slice.sum(LoadMeasure.BYTES)).isCloseTo(0.5, within(0.2));
    assertThat(slice.sum(LoadMeasure.REQUESTS)).isCloseTo(1_000, Percentage.withPercentage(40));
  }

  @Test
  void estimatesTheProcessorTimeOfScans() {
    ManualClock clock = new ManualClock();
    LoadSampler sampler = new LoadSampler(clock, clock::nanoTime, random::nextInt);
    for (int i = 0; i < 10_000; i++) {
      long begun = sampler.beginScan();
      clock.advanceNanos(50_000);
      if (begun != LoadSampler.UNTIMED) {
        sampler.endScan(SimulatedLoad.row(1), begun);
      }
    }
    assertThat(sampler.next().sum(LoadMeasure.CPU))
        .isCloseTo(10_000 * 50_000.0, Percentage.withPercentage(25));
  }

  @Test
  void timedScansDoNotMakeTheSamplesOfRowsFewer() {
    LoadSampler sampler = new LoadSampler(new ManualClock(), () -> 0, () -> 0);
    int before = sampler.samples(128);
    for (int i = 0; i < 10_000; i++) {
      sampler.endScan(SimulatedLoad.row(1), 0);
    }
    assertThat(sampler.samples(128)).isEqualTo(before);
  }

  @Test
  void keepsABoundedNumberOfSamplesHoweverLongASliceLasts() {
    LoadSampler sampler = new LoadSampler(new ManualClock(), () -> 0, () -> 0);
    for (int i = 0; i < 2 * LoadSampler.SAMPLES_MAX; i++) {
      sampler.endScan(SimulatedLoad.row(1), 0);
    }
    assertThat(sampler.next().samples()).hasSize(LoadSampler.SAMPLES_MAX);
    for (int i = 0; i < 2 * LoadSampler.SAMPLES_MAX; i++) {
      sampler.add(SimulatedLoad.row(1), new Call(LoadSample.Kind.GET, 1, 1, 1, 1), 1);
    }
    sampler.endScan(SimulatedLoad.row(1), 0);
    assertThat(sampler.next().samples()).hasSize(LoadSampler.SAMPLES_MAX + 1);
    sampler.endScan(SimulatedLoad.row(1), 0);
    assertThat(sampler.next().samples()).as("the next slice begins anew").hasSize(1);
  }

  @Test
  void cutsLongRows() {
    LoadSampler sampler = new LoadSampler(new ManualClock(), () -> 0, () -> 0);
    sampler.add(new byte[10_000], new Call(LoadSample.Kind.GET, 1, 1, 0, 0), 1);
    assertThat(sampler.next().samples().get(0).row()).hasSize(LoadSampler.ROW_BYTES_MAX);
  }
}
