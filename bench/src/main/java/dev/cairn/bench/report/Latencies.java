package dev.cairn.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The latencies of one kind of operation, within one measurement.
 *
 * @param operation the kind of operation, for example {@code READ}
 * @param count number of operations, at least one
 * @param meanMicros their mean
 * @param maxMicros the longest
 * @param percentiles ascending, up to the highest that {@code count} operations support; those of
 *     {@link #SHOWN} among them
 */
public record Latencies(
    String operation,
    long count,
    double meanMicros,
    double maxMicros,
    List<Percentile> percentiles) {
  /** The percentiles that tables show. */
  public static final List<Double> SHOWN = List.of(50.0, 99.0, 99.9, 99.99);

  private static final int STEPS_PER_HALVING = 5; // of the distance to 100 %: enough for a curve

  /**
   * A point of the distribution.
   *
   * @param percent 0 to 100
   * @param micros {@code percent} of the operations took so long at most
   */
  public record Percentile(double percent, double micros) {}

  /** Checks the values. */
  public Latencies {
    if (count < 1) {
      throw new IllegalArgumentException("No latencies of " + operation);
    }
    percentiles = List.copyOf(percentiles);
    for (int i = 1; i < percentiles.size(); i++) {
      if (percentiles.get(i - 1).percent() >= percentiles.get(i).percent()) {
        throw new IllegalArgumentException("The percentiles of " + operation + " do not ascend");
      }
    }
  }

  /**
   * Returns what {@code histogram} has recorded.
   *
   * @param unitsPerMicro how many of the histogram's units are a microsecond: 1000 if it holds
   *     nanoseconds
   * @throws IllegalArgumentException if it is empty
   */
  public static Latencies of(String operation, AbstractHistogram histogram, double unitsPerMicro) {
    long count = histogram.getTotalCount();
    // A percentile that less than one operation lies beyond is the maximum under another name.
    double highest = 100 - 100.0 / Math.max(1, count);
    TreeSet<Double> wanted = new TreeSet<>();
    SHOWN.stream().filter(percent -> percent <= highest).forEach(wanted::add);
    for (HistogramIterationValue value : histogram.percentiles(STEPS_PER_HALVING)) {
      if (value.getPercentileLevelIteratedTo() <= highest) {
        wanted.add(value.getPercentileLevelIteratedTo());
      }
    }
    List<Percentile> percentiles = new ArrayList<>();
    for (double percent : wanted) {
      percentiles.add(
          new Percentile(percent, histogram.getValueAtPercentile(percent) / unitsPerMicro));
    }
    return new Latencies(
        operation,
        count,
        histogram.getMean() / unitsPerMicro,
        histogram.getMaxValue() / unitsPerMicro,
        percentiles);
  }

  /** Tells whether there were enough operations to tell this percentile. */
  public boolean tells(double percent) {
    return percentiles.stream().anyMatch(point -> point.percent() == percent);
  }

  /**
   * Returns one of the percentiles, in microseconds.
   *
   * @throws NoSuchElementException if it is not among them
   */
  public double micros(double percent) {
    return percentiles.stream()
        .filter(point -> point.percent() == percent)
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException(operation + " has no p" + percent))
        .micros();
  }
}
