package dev.cairn.server.traffic;

import dev.cairn.server.traffic.heatmap.TrafficMetric;
import dev.cairn.server.traffic.sketch.HotKeys;

/** The traffic of a region in a window of time. Not thread-safe. */
final class TrafficWindow {
  private final long beganMillis;
  private final double[] sums = new double[TrafficMetric.COUNT];
  private final HotKeys hot = new HotKeys();

  TrafficWindow(long beganMillis) {
    this.beganMillis = beganMillis;
  }

  void add(byte[] row, double[] values) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += values[i];
    }
    double requests =
        values[TrafficMetric.READS.ordinal()] + values[TrafficMetric.WRITES.ordinal()];
    if (requests > 0) {
      hot.add(row, requests);
    }
  }

  long beganMillis() {
    return beganMillis;
  }

  double[] sums() {
    return sums;
  }

  HotKeys hot() {
    return hot;
  }
}
