package dev.cairn.bench.load;

/**
 * The duration and rate of a run.
 *
 * @param seconds duration, for workloads that do not end by themselves
 * @param rate operations to begin per second; 0: each thread begins one when its last is over
 * @param disturbed true to flush the table after a quarter of the time, and to request a major
 *     compaction after half of it
 */
public record Pace(double seconds, double rate, boolean disturbed) {
  /** Checks the values. */
  public Pace {
    if (!(seconds > 0) || !(rate >= 0)) {
      throw new IllegalArgumentException(rate + " op/s for " + seconds + " s");
    }
  }

  /** As fast as it goes. */
  public static Pace closed(double seconds) {
    return new Pace(seconds, 0, false);
  }

  /** Tells whether operations begin at times that are given. */
  public boolean fixed() {
    return rate > 0;
  }
}
