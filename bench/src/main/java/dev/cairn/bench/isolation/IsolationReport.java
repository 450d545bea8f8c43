package dev.cairn.bench.isolation;

import dev.cairn.bench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Gathers the latencies of all rounds. */
final class IsolationReport {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double TAIL = 99;

  private final Map<String, Row> rows = new LinkedHashMap<>();

  /**
   * The 99th percentiles of one kind of call on one server, one value per round, in milliseconds.
   */
  private record Row(
      String queues, String call, List<Double> alone, List<Double> beside, List<Double> ratio) {}

  /**
   * Adds the latencies of a round in nanoseconds, by kind of call.
   *
   * @param queues the server's setting
   */
  void add(String queues, Map<String, Histogram> alone, Map<String, Histogram> beside) {
    alone.forEach(
        (call, latencies) -> {
          Row row =
              rows.computeIfAbsent(
                  call + queues,
                  key ->
                      new Row(
                          queues, call, new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
          double first = tailMillis(latencies);
          double second = tailMillis(beside.get(call));
          row.alone.add(first);
          row.beside.add(second);
          row.ratio.add(second / first);
        });
  }

  private static double tailMillis(Histogram latencies) {
    return latencies.getValueAtPercentile(TAIL) / NANOS_PER_MILLI;
  }

  /** Returns the table: the median of the rounds, and in brackets the minimum and the maximum. */
  String table() {
    StringBuilder text = new StringBuilder();
    text.append("| call | queues | p99 alone, ms | p99 beside scans, ms | times as long |\n");
    text.append("| --- | --- | --- | --- | --- |\n");
    rows.values().stream()
        .sorted((one, other) -> one.call.compareTo(other.call))
        .forEach(
            row ->
                text.append(
                    "| %s | %s | %s | %s | %s |%n"
                        .formatted(
                            row.call,
                            row.queues,
                            spread(row.alone),
                            spread(row.beside),
                            spread(row.ratio))));
    return text.toString();
  }

  private static String spread(List<Double> values) {
    return Spread.of(values).map(Spread::toString).orElse("");
  }
}
