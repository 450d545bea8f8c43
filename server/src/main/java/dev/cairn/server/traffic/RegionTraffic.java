package dev.cairn.server.traffic;

import dev.cairn.server.traffic.sketch.HotKeys;

/**
 * The latest traffic of a region.
 *
 * @param table the table's name
 * @param region the region's encoded name
 * @param start its first row
 * @param end the row after its last
 * @param millis the time over which it was measured, at least 1
 * @param sums by {@link dev.cairn.server.traffic.heatmap.TrafficMetric#ordinal}, over that time
 * @param hot the hottest rows and prefixes in that time, weighted by requests
 */
public record RegionTraffic(
    String table,
    String region,
    byte[] start,
    byte[] end,
    long millis,
    double[] sums,
    HotKeys hot) {
  /** Returns the values per second. */
  public double[] perSecond() {
    double[] rates = new double[sums.length];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = sums[i] * 1_000 / millis;
    }
    return rates;
  }
}
