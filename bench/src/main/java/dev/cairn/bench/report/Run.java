package dev.cairn.bench.report;

import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The results of one run.
 *
 * @param title the comparison, in a line
 * @param started when
 * @param machine where
 * @param commit of the sources that were measured; empty if unknown
 * @param options how: what another run needs to be the same, by name, in the order to show
 * @param metrics what the figures mean, in the order to show
 * @param measurements in the order in which they were taken
 */
public record Run(
    String title,
    Instant started,
    Machine machine,
    String commit,
    Map<String, String> options,
    List<Metric> metrics,
    List<Measurement> measurements) {
  /** Checks that every figure has a meaning, and one only. */
  public Run {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    metrics = List.copyOf(metrics);
    measurements = List.copyOf(measurements);
    Set<String> known = metrics.stream().map(Metric::name).collect(Collectors.toSet());
    if (known.size() < metrics.size()) {
      throw new IllegalArgumentException("Two metrics of one name: " + metrics);
    }
    Set<List<Object>> taken = new HashSet<>();
    for (Measurement measurement : measurements) {
      if (!known.containsAll(measurement.figures().keySet())) {
        throw new IllegalArgumentException(
            "Figures of " + measurement.figures().keySet() + ", but the metrics are " + known);
      }
      if (!taken.add(List.of(measurement.workload(), measurement.side(), measurement.round()))) {
        throw new IllegalArgumentException(
            "Two measurements of %s on %s in round %d"
                .formatted(measurement.workload(), measurement.side(), measurement.round()));
      }
    }
  }

  /** Returns the sides, in the order in which they first came. */
  public List<String> sides() {
    return measurements.stream().map(Measurement::side).distinct().toList();
  }

  /** Returns the workloads, in the order in which they first came. */
  public List<String> workloads() {
    return measurements.stream().map(Measurement::workload).distinct().toList();
  }

  /** Returns the measurements of a workload on a side, one per round. */
  public List<Measurement> rounds(String workload, String side) {
    return measurements.stream()
        .filter(one -> one.workload().equals(workload) && one.side().equals(side))
        .toList();
  }
}
