package dev.cairn.server.traffic.heatmap;

import java.util.Arrays;

/**
 * The traffic on a range of rows.
 *
 * @param low the first row with traffic; not to be changed
 * @param end the row after the last one with traffic; not to be changed
 * @param values by {@link TrafficMetric#ordinal}; not to be changed
 */
public record KeyRange(byte[] low, byte[] end, double[] values) {
  /** Returns the row directly after {@code row}. */
  static byte[] after(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }

  /** Returns the value of a metric. */
  public double value(TrafficMetric metric) {
    return values[metric.ordinal()];
  }
}
