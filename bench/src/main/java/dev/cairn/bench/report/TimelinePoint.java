package dev.cairn.bench.report;

/**
 * The throughput in one interval of a measurement.
 *
 * @param seconds end of the interval, since the measurement began
 * @param throughput completed operations per second within it
 */
public record TimelinePoint(double seconds, double throughput) {
  /** Checks the values. */
  public TimelinePoint {
    if (!(seconds >= 0) || !(throughput >= 0)) {
      throw new IllegalArgumentException(throughput + " op/s at " + seconds + " s");
    }
  }
}
