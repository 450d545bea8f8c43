package dev.cairn.server.traffic.heatmap;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The metrics of a heat map. The order is that of the values in files; append only. */
public enum TrafficMetric {
  /** Gets, and calls of scans. */
  READS("requests"),
  /** Mutations. */
  WRITES("requests"),
  /** Rows that were read or written, also those that a scan examined and did not return. */
  ROWS("rows"),
  /** Bytes of cells that were read or written. */
  BYTES("bytes"),
  /** Processor time of calls in the region, without the sync of the log. */
  TIME("nanoseconds"),
  /** Failed reads and writes. */
  ERRORS("requests");

  /** The number of metrics. */
  public static final int COUNT = values().length;

  private static final List<TrafficMetric> ALL = List.of(values());

  private final String unit;

  TrafficMetric(String unit) {
    this.unit = unit;
  }

  /** Returns the name in a query: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the unit of values. */
  public String unit() {
    return unit;
  }

  /** Returns the metric of a name in a query; empty if there is none. */
  public static Optional<TrafficMetric> of(String label) {
    return ALL.stream().filter(metric -> metric.label().equals(label)).findFirst();
  }

  /** Returns the names of all metrics. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(TrafficMetric::label).toList();
  }
}
