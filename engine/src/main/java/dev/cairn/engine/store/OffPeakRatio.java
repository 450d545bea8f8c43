package dev.cairn.engine.store;

import java.time.ZoneId;

/**
 * The compaction ratio of off-peak hours, when larger compactions disturb nobody.
 *
 * @param ratio the ratio at these hours
 * @param hours the off-peak hours
 * @param zone the time zone of the hours
 */
public record OffPeakRatio(double ratio, OffPeakHours hours, ZoneId zone) {
  /** The key of {@link #ratio}. */
  public static final String KEY = "hbase.hstore.compaction.ratio.offpeak";

  /** HBase's default: no hours. */
  public static final OffPeakRatio DEFAULT =
      new OffPeakRatio(5.0, OffPeakHours.NONE, ZoneId.of("UTC"));

  /**
   * Returns the ratio at a time.
   *
   * @param millis the time, milliseconds since 1970
   * @param otherwise the ratio at all other hours
   */
  double at(long millis, double otherwise) {
    return hours.contain(millis, zone) ? ratio : otherwise;
  }

  /** Returns the same hours with another ratio. */
  OffPeakRatio with(double changed) {
    return new OffPeakRatio(changed, hours, zone);
  }
}
