package dev.cairn.bench.load;

import dev.cairn.bench.report.Latencies;
import dev.cairn.bench.report.TimelinePoint;
import java.util.List;

/**
 * What a run of a workload did.
 *
 * @param operations how many were completed
 * @param units how many calls, rows or cells that was
 * @param missing how many reads found nothing
 * @param putBytes bytes of the keys and values that were put
 * @param seconds how long it took
 * @param cpuSeconds what this process spent meanwhile, in all threads
 * @param latencies by kind of operation; at a fixed rate from the time when it was to begin
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
