package dev.cairn.server.loadsplit;

import java.util.List;

/**
 * The samples of a region over a slice of time.
 *
 * @param millis its length, at least 1
 * @param samples in no order
 */
public record LoadSlice(long millis, List<LoadSample> samples) {
  /** Checks the length. */
  public LoadSlice {
    if (millis < 1) {
      throw new IllegalArgumentException("A slice of " + millis + " ms");
    }
    samples = List.copyOf(samples);
  }

  /** Returns the load of all samples together. */
  double sum(LoadMeasure measure) {
    double sum = 0;
    for (LoadSample sample : samples) {
      sum += measure.of(sample);
    }
    return sum;
  }
}
