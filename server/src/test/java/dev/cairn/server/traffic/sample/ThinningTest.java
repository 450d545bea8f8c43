package dev.cairn.server.traffic.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Of many samples, some are chosen that stand for all. */
class ThinningTest {
  private static final int MAX = 64;

  /** Returns the samples of a burst: the later, the more requests each one stands for. */
  private static List<LoadSample> burst() {
    List<LoadSample> samples = new ArrayList<>();
    for (int stride = 1; stride <= 64; stride *= 2) {
      for (int i = 0; i < 256; i++) {
        samples.add(sample("row" + samples.size(), stride));
      }
    }
    return samples;
  }

  private static LoadSample sample(String name, double requests) {
    byte[] row = Bytes.utf8(name);
    return new LoadSample(Kind.WRITE, row, row, row, requests, requests, 0, 100 * requests, 0);
  }

  private static double sum(List<Thinning.Chosen> chosen) {
    return chosen.stream().mapToDouble(one -> one.sample().requests() * one.times()).sum();
  }

  @Test
  void eachChosenSampleStandsForAsManyRequests() {
    double total = burst().stream().mapToDouble(LoadSample::requests).sum();
    for (double place = 0.05; place < 1; place += 0.1) {
      List<Thinning.Chosen> chosen = Thinning.of(burst(), MAX, place);
      assertThat(chosen).hasSizeBetween(MAX - 1, MAX + 1);
      assertThat(chosen)
          .allSatisfy(
              one ->
                  assertThat(one.sample().requests() * one.times())
                      .isCloseTo(total / MAX, Percentage.withPercentage(0.1)));
      assertThat(sum(chosen)).isCloseTo(total, within(1.1 * total / MAX));
    }
  }

  @Test
  void aSampleIsChosenAsOftenAsItHasRequests() {
    LoadSample heavy = sample("heavy", 5_000);
    List<LoadSample> samples = new ArrayList<>(burst());
    samples.add(heavy);
    double sum = 0;
    int rounds = 200;
    for (int round = 0; round < rounds; round++) {
      sum +=
          sum(
              Thinning.of(samples, MAX, round / (double) rounds).stream()
                  .filter(one -> one.sample() == heavy)
                  .toList());
    }
    assertThat(sum / rounds).isCloseTo(5_000, Percentage.withPercentage(2));
  }

  @Test
  void fewSamplesAreAllKept() {
    List<LoadSample> samples = burst().subList(0, MAX);
    assertThat(Thinning.of(samples, MAX, 0.5))
        .extracting(Thinning.Chosen::sample)
        .containsExactlyElementsOf(samples);
  }

  @Test
  void failuresAreThinnedByThemselves() {
    List<LoadSample> samples = new ArrayList<>(burst());
    byte[] row = Bytes.utf8("bad");
    for (int i = 0; i < 1_000; i++) {
      samples.add(new LoadSample(Kind.FAILED, row, row, row, 0, 0, 0, 0, 0));
    }
    List<Thinning.Chosen> failed =
        Thinning.of(samples, MAX, 0.3).stream()
            .filter(one -> one.sample().kind() == Kind.FAILED)
            .toList();
    assertThat(failed).hasSize(MAX);
    assertThat(failed.stream().mapToDouble(Thinning.Chosen::times).sum())
        .isCloseTo(1_000, within(1e-6));
  }
}
