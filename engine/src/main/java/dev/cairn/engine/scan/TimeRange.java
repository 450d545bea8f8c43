package dev.cairn.engine.scan;

/**
 * A range of timestamps.
 *
 * @param from the first timestamp inside
 * @param to the first timestamp after the range; {@link Long#MAX_VALUE} includes every timestamp
 *     from {@code from}
 */
public record TimeRange(long from, long to) {
  /** Every timestamp. */
  public static final TimeRange ALL = new TimeRange(0, Long.MAX_VALUE);

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one is negative or {@code to} is before {@code from}
   */
  public TimeRange {
    if (from < 0 || to < 0 || to < from) {
      throw new IllegalArgumentException("Illegal time range [" + from + ", " + to + ")");
    }
  }

  /** Returns the last timestamp inside; less than {@link #from} if none is. */
  public long last() {
    return to == Long.MAX_VALUE ? to : to - 1;
  }

  /** Tells whether {@code timestamp} is inside. */
  public boolean contains(long timestamp) {
    return timestamp >= from && (timestamp < to || to == Long.MAX_VALUE);
  }
}
