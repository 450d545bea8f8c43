package dev.cairn.bench.load;

import dev.cairn.bench.report.Latencies;
import dev.cairn.bench.report.TimelinePoint;
import java.util.List;

/**
 * The result of running a workload.
 *
 * @param operations number of completed operations
 * @param units number of calls, rows or cells in them
 * @param missing number of reads that found nothing
 * @param putBytes bytes of the keys and values that were put
 * @param seconds duration
 * @param cpuSeconds processor time of this process meanwhile, in all threads
 * @param latencies by kind of operation; at a fixed rate from the time when it was due
 * @param timeline units per second
 */
public record LoadResult(
    long operations,
    long units,
    long missing,
    long putBytes,
    double seconds,
    double cpuSeconds,
    List<Latencies> latencies,
    List<TimelinePoint> timeline) {
  /** Makes the lists unmodifiable. */
  public LoadResult {
    latencies = List.copyOf(latencies);
    timeline = List.copyOf(timeline);
  }

  /** Returns how fast it went, units per second. */
  public double throughput() {
    return units / seconds;
  }

  /** Returns how fast it went, operations per second. */
  public double operationsPerSecond() {
    return operations / seconds;
  }
}
