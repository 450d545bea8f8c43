package dev.cairn.engine.store;

import java.time.Instant;
import java.time.ZoneId;

/**
 * The hours of the day with little load ({@code hbase.offpeak.start.hour}, {@code
 * hbase.offpeak.end.hour}).
 *
 * @param start the first hour, 0 to 23, or {@link #NOT_SET}
 * @param end the first hour after them, 0 to 23, or {@link #NOT_SET}; before {@code start} if
 *     midnight lies between
 */
public record OffPeakHours(int start, int end) {
  /** An hour that is not set: without both there are no off-peak hours. */
  public static final int NOT_SET = -1;

  /** None. */
  public static final OffPeakHours NONE = new OffPeakHours(NOT_SET, NOT_SET);

  private static final int LAST_HOUR = 23;

  /** Checks the numbers. */
  public OffPeakHours {
    if (start < NOT_SET || start > LAST_HOUR || end < NOT_SET || end > LAST_HOUR) {
      throw new IllegalArgumentException("No hours of the day: " + start + " to " + end);
    }
  }

  /** Tells whether {@code millis}, milliseconds since 1970, is in these hours of {@code zone}. */
  boolean contain(long millis, ZoneId zone) {
    return contains(Instant.ofEpochMilli(millis).atZone(zone).getHour());
  }

  /** Tells whether {@code hour}, 0 to 23, is one of them. */
  public boolean contains(int hour) {
    if (start == NOT_SET || end == NOT_SET) {
      return false;
    }
    return start <= end ? start <= hour && hour < end : hour < end || start <= hour;
  }
}
