package dev.cairn.bench.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One workload, on one side, in one round.
 *
 * @param workload its name; the same workload at a fixed rate is one of its own
 * @param side the measured side
 * @param round which repetition, from 1
 * @param figures by the names of the run's metrics; what could not be measured is left out
 * @param latencies by kind of operation; empty if they were not taken
 * @param timeline throughput over time, ascending; empty if it was not taken
 * @param marks what happened on the server meanwhile, ascending
 */
public record Measurement(
    String workload,
    String side,
    int round,
    Map<String, Double> figures,
    List<Latencies> latencies,
    List<TimelinePoint> timeline,
    List<Mark> marks) {
  /** Checks the values. */
  public Measurement {
    if (workload.isBlank() || side.isBlank() || round < 1) {
      throw new IllegalArgumentException(
          "A measurement of '" + workload + "' on '" + side + "' in round " + round);
    }
    figures.forEach(
        (name, value) -> {
          if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(name + " of " + workload + " is " + value);
          }
        });
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    latencies = List.copyOf(latencies);
    timeline = List.copyOf(timeline);
    marks = List.copyOf(marks);
  }

  /** A measurement that has figures alone. */
  public Measurement(String workload, String side, int round, Map<String, Double> figures) {
    this(workload, side, round, figures, List.of(), List.of(), List.of());
  }
}
