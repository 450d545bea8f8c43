package dev.cairn.studies.tsdb;

import java.time.Instant;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The value of a host's metric at a time, in whole seconds. */
record Point(String metric, String host, Instant time, long value) {
  /** By metric, host and time. */
  static final Comparator<Point> ORDER =
      Comparator.comparing((Point point) -> point.metric())
          .thenComparing(point -> point.host())
          .thenComparing(point -> point.time());

  /** How many metrics each host has. */
  static final int METRICS = 5;

  /** How many hosts there are. */
  static final int HOSTS = 20;

  private static final int SERIES = METRICS * HOSTS;
  private static final long INTERVAL_SECONDS = 10;

  /** The time of the first points. */
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  /** Returns a name as OpenTSDB's collectors give. */
  static String metric(int number) {
    return "sys.cpu.core%d.busy".formatted(number);
  }

  /** Returns a name as machines have it. */
  static String host(int number) {
    return "web%03d.example.org".formatted(number);
  }

  /** Returns the time of the last of so many points. */
  static Instant last(long count) {
    return BEGIN.plusSeconds((count - 1) / SERIES * INTERVAL_SECONDS);
  }

  /** Returns the first points: all series in turn, each time ten seconds later. */
  static Stream<Point> first(long count) {
    SplittableRandom random = new SplittableRandom(3);
    return LongStream.range(0, count)
        .mapToObj(
            i ->
                new Point(
                    metric((int) (i % METRICS)),
                    host((int) (i / METRICS % HOSTS)),
                    BEGIN.plusSeconds(i / SERIES * INTERVAL_SECONDS),
                    value(random)));
  }

  /** Most values are small; some need all bytes. */
  private static long value(SplittableRandom random) {
    return random.nextInt(100) == 0 ? random.nextLong() : random.nextLong(10_000);
  }
}
