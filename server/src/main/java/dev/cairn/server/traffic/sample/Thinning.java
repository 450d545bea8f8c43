package dev.cairn.server.traffic.sample;

import dev.cairn.server.loadsplit.LoadSample;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses some of the samples of a slice of time: systematic sampling with probabilities in
 * proportion to size (W. G. Madow, 1949). Samples of a sudden load represent different numbers of
 * requests. Each chosen one represents about the same number, so none looks like a hot row by
 * chance.
 */
public final class Thinning {
  private Thinning() {}

  /**
   * A chosen sample.
   *
   * @param times the factor by which it represents the samples that were not chosen, too
   */
  public record Chosen(LoadSample sample, double times) {}

  /**
   * Returns about {@code max} samples that count requests, and as many of those that count none;
   * all if there are not more. Their expected sums are those of all samples.
   *
   * @param place a random number from 0 to 1 (exclusive)
   */
  public static List<Chosen> of(List<LoadSample> samples, int max, double place) {
    List<LoadSample> counting = new ArrayList<>(samples.size());
    List<LoadSample> others = new ArrayList<>();
    double total = 0;
    for (LoadSample sample : samples) {
      (sample.requests() > 0 ? counting : others).add(sample);
      total += sample.requests();
    }
    List<Chosen> chosen = new ArrayList<>(2 * max);
    choose(counting, total, max, place, chosen);
    choose(others, others.size(), max, place, chosen);
    return chosen;
  }

  private static void choose(
      List<LoadSample> samples, double total, int max, double place, List<Chosen> chosen) {
    if (samples.size() <= max) {
      samples.forEach(sample -> chosen.add(new Chosen(sample, 1)));
      return;
    }
    double step = total / max;
    double next = place * step;
    double sum = 0;
    for (LoadSample sample : samples) {
      double weight = sample.requests() > 0 ? sample.requests() : 1;
      sum += weight;
      int hits = 0;
      for (; next < sum; next += step) {
        hits++;
      }
      if (hits > 0) {
        chosen.add(new Chosen(sample, hits * step / weight));
      }
    }
  }
}
