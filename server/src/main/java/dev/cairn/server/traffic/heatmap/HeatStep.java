package dev.cairn.server.traffic.heatmap;

import java.util.List;

/**
 * The traffic of a table on one server in one step of time.
 *
 * @param startMillis when it began, milliseconds since 1970; a multiple of its length
 * @param millis its length
 * @param ranges disjoint and in the order of rows
 */
public record HeatStep(long startMillis, long millis, List<KeyRange> ranges) {
  /** The length of a fine step. */
  public static final long FINE_MILLIS = 60_000;

  /** The length of a coarse step. */
  public static final long COARSE_MILLIS = 3_600_000;

  /** Copies the list. */
  public HeatStep {
    ranges = List.copyOf(ranges);
  }

  /** Returns when it ended. */
  public long endMillis() {
    return startMillis + millis;
  }
}
