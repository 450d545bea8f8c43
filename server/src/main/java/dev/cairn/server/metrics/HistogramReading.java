package dev.cairn.server.metrics;

/**
 * The contents of a {@link Histogram}.
 *
 * @param total since its creation
 * @param recent in the last window, see {@link Histogram#read}
 */
public record HistogramReading(HistogramSnapshot total, HistogramSnapshot recent) {
  /** The reading of an empty histogram. */
  public static final HistogramReading NONE =
      new HistogramReading(HistogramSnapshot.EMPTY, HistogramSnapshot.EMPTY);

  /** Returns the sum of both. */
  public HistogramReading plus(HistogramReading other) {
    return new HistogramReading(total.plus(other.total), recent.plus(other.recent));
  }
}
