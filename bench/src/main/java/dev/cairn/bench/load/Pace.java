package dev.cairn.bench.load;

/**
 * How long and how fast.
 *
 * @param seconds how long, for workloads that do not end by themselves
 * @param rate operations to begin per second; 0: each thread begins one when its last is over
 * @param disturbed whether the table is flushed after a quarter of the time, and a major compaction
 *     asked for after half of it
 */
public record Pace(double seconds, double rate, boolean disturbed) {
  /** Checks what it is made of. */
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
