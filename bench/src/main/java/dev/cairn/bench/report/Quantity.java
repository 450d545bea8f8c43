package dev.cairn.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * One line of a table: a value of each measurement.
 *
 * @param heading its name, with its unit
 * @param of takes it; empty if the measurement has none
 */
record Quantity(String heading, Function<Measurement, Optional<Double>> of) {

  /** Returns what there is of {@code workload}: the run's metrics, then percentiles. */
  static List<Quantity> all(Run run, String workload) {
    List<Measurement> measurements =
        run.measurements().stream().filter(one -> one.workload().equals(workload)).toList();
    List<Quantity> quantities = new ArrayList<>();
    for (Metric metric : run.metrics()) {
      quantities.add(figure(metric));
    }
    measurements.stream()
        .flatMap(one -> one.latencies().stream())
        .map(Latencies::operation)
        .distinct()
        .forEach(
            operation ->
                Latencies.SHOWN.forEach(percent -> quantities.add(percentile(operation, percent))));
    return quantities.stream()
        .filter(
            quantity -> measurements.stream().anyMatch(one -> quantity.measuredBy(one).isPresent()))
        .toList();
  }

  static Quantity figure(Metric metric) {
    return new Quantity(
        metric.heading(), one -> Optional.ofNullable(one.figures().get(metric.name())));
  }

  static Quantity percentile(String operation, double percent) {
    return new Quantity(
        operation.isEmpty() ? name(percent) : operation + " " + name(percent),
        one ->
            one.latencies().stream()
                .filter(latencies -> latencies.operation().equals(operation))
                .filter(latencies -> latencies.tells(percent))
                .map(latencies -> latencies.micros(percent))
                .findFirst());
  }

  private static String name(double percent) {
    String digits = String.format(Locale.ROOT, "%s", percent).replaceAll("\\.0$", "");
    return "p" + digits + " (µs)";
  }

  Optional<Double> measuredBy(Measurement measurement) {
    return of.apply(measurement);
  }

  /** Returns how it went on {@code side}, over all rounds. */
  Optional<Spread> on(Run run, String workload, String side) {
    return Spread.of(byRound(run, workload, side).values());
  }

  /**
   * Returns {@code side}'s by {@code other}'s, round by round, so that a machine that grows slower
   * meanwhile hits both; empty if no round has both.
   */
  Optional<Spread> ratio(Run run, String workload, String side, String other) {
    Map<Integer, Double> ours = byRound(run, workload, side);
    Map<Integer, Double> theirs = byRound(run, workload, other);
    List<Double> ratios = new ArrayList<>();
    ours.forEach(
        (round, value) -> {
          double by = theirs.getOrDefault(round, 0.0);
          if (by != 0) {
            ratios.add(value / by);
          }
        });
    return Spread.of(ratios);
  }

  private Map<Integer, Double> byRound(Run run, String workload, String side) {
    Map<Integer, Double> values = new TreeMap<>();
    for (Measurement measurement : run.rounds(workload, side)) {
      measuredBy(measurement).ifPresent(value -> values.put(measurement.round(), value));
    }
    return values;
  }
}
