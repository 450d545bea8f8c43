package dev.cairn.bench.load;

import dev.cairn.bench.report.Latencies;
import dev.cairn.bench.report.TimelinePoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The work of one thread, or the sum of all. One thread at a time. */
final class Tally {
  /** The name of the latencies of all operations together. */
  static final String ALL = "all";

  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double NANOS_PER_MICRO = 1000;

  private final long startNanos;
  private final long intervalNanos;
  private final Map<String, Histogram> latencies = new TreeMap<>();
  private long[] unitsByInterval = new long[64];
  private int intervals;
  private long operations;
  private long units;
  private long missing;
  private long putBytes;

  /**
   * Creates an empty tally.
   *
   * @param startNanos when the run began, by {@link System#nanoTime()}
   * @param intervalNanos how fine the timeline is
   */
  Tally(long startNanos, long intervalNanos) {
    this.startNanos = startNanos;
    this.intervalNanos = intervalNanos;
  }

  /** Books an operation that ended at {@code endNanos}. */
  void add(Done done, long endNanos) {
    operations++;
    units += done.units();
    putBytes += done.putBytes();
    missing += done.missing() ? 1 : 0;
    int interval = (int) ((endNanos - startNanos) / intervalNanos);
    reach(interval + 1);
    unitsByInterval[interval] += done.units();
  }

  /** Books how long an operation took. */
  void addLatency(String operation, long nanos) {
    latencies
        .computeIfAbsent(operation, name -> new Histogram(SIGNIFICANT_DIGITS))
        .recordValue(Math.max(0, nanos));
  }

  private void reach(int count) {
    if (count > unitsByInterval.length) {
      unitsByInterval = Arrays.copyOf(unitsByInterval, Math.max(count, 2 * unitsByInterval.length));
    }
    intervals = Math.max(intervals, count);
  }

  /** Adds what another thread did. */
  void add(Tally other) {
    operations += other.operations;
    units += other.units;
    missing += other.missing;
    putBytes += other.putBytes;
    reach(other.intervals);
    for (int i = 0; i < other.intervals; i++) {
      unitsByInterval[i] += other.unitsByInterval[i];
    }
    other.latencies.forEach(
        (name, histogram) ->
            latencies.computeIfAbsent(name, n -> new Histogram(SIGNIFICANT_DIGITS)).add(histogram));
  }

  /** Returns the result of a run that took until {@code endNanos}. */
  LoadResult result(long endNanos, double cpuSeconds) {
    return new LoadResult(
        operations,
        units,
        missing,
        putBytes,
        (endNanos - startNanos) / (double) TimeUnit.SECONDS.toNanos(1),
        cpuSeconds,
        latencies(),
        timeline(endNanos));
  }

  private List<Latencies> latencies() {
    List<Latencies> all = new ArrayList<>();
    if (latencies.size() > 1) {
      all.add(Latencies.of(ALL, sum(latencies.values()), NANOS_PER_MICRO));
    }
    latencies.forEach((name, taken) -> all.add(Latencies.of(name, taken, NANOS_PER_MICRO)));
    return all;
  }

  private static Histogram sum(Collection<Histogram> parts) {
    Histogram sum = new Histogram(SIGNIFICANT_DIGITS);
    parts.forEach(sum::add);
    return sum;
  }

  /** The last interval is left out if it is not a whole one. */
  private List<TimelinePoint> timeline(long endNanos) {
    double seconds = intervalNanos / (double) TimeUnit.SECONDS.toNanos(1);
    int whole = (int) Math.min(intervals, (endNanos - startNanos) / intervalNanos);
    List<TimelinePoint> points = new ArrayList<>();
    for (int i = 0; i < whole; i++) {
      points.add(new TimelinePoint((i + 1) * seconds, unitsByInterval[i] / seconds));
    }
    return points;
  }
}
