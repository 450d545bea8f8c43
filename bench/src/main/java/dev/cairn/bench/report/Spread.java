package dev.cairn.bench.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * Several measurements of one thing.
 *
 * @param median of them; the mean of the middle two if their number is even
 * @param min the lowest
 * @param max the highest
 */
public record Spread(double median, double min, double max) {
  /** Returns the spread of {@code values}; empty if there are none. */
  public static Optional<Spread> of(Collection<Double> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return Optional.of(new Spread(median, sorted[0], Arrays.stream(sorted).max().getAsDouble()));
  }

  /** Returns the median, and in brackets from where to where the measurements go if they differ. */
  @Override
  public String toString() {
    return min == max
        ? digits(median)
        : digits(median) + " (" + digits(min) + " to " + digits(max) + ")";
  }

  /** Returns {@code value} with as many digits as are worth reading. */
  public static String digits(double value) {
    double size = Math.abs(value);
    String format = size >= 100 || size == 0 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, size < 0.1 && size > 0 ? "%.2g" : format, value);
  }
}
