package dev.cairn.bench.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** A small run whose figures are known: side "new" is twice as fast as side "old". */
final class SampleRun {
  private SampleRun() {}

  static Run create() {
    List<Measurement> measurements = new ArrayList<>();
    for (int round = 1; round <= 3; round++) {
      measurements.add(reads("old", round, 1000 * round));
      measurements.add(reads("new", round, 2000 * round + 100 * (round - 2)));
    }
    measurements.add(new Measurement("start", "old", 1, Map.of("start to first answer", 10.0)));
    return new Run(
        "old and new",
        Instant.parse("2026-01-02T03:04:05Z"),
        new Machine(2, 3L << 30, "an operating system", "a JVM"),
        "0123abc",
        Map.of("records", "1000"),
        List.of(Metric.THROUGHPUT, Metric.SERVER_CPU, Metric.START_TIME),
        measurements);
  }

  private static Measurement reads(String side, int round, double throughput) {
    Histogram nanos = new Histogram(3);
    for (int i = 1; i <= 2000; i++) {
      nanos.recordValue(Math.round(i * 1e9 / throughput));
    }
    return new Measurement(
        "C",
        side,
        round,
        Map.of("throughput", throughput, "server CPU", 1e5 / throughput),
        List.of(Latencies.of("READ", nanos, 1000)),
        IntStream.rangeClosed(1, 5).mapToObj(s -> new TimelinePoint(s, throughput + s)).toList(),
        List.of(new Mark(1.5, Mark.Kind.FLUSH), new Mark(3.5, Mark.Kind.COMPACTION)));
  }
}
