package dev.cairn.studies.series;

import java.time.Instant;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A measurement of a host at a time. */
record Sample(String host, Instant time, long value) {
  /** By host, then by time. */
  static final Comparator<Sample> ORDER =
      Comparator.comparing((Sample sample) -> sample.host()).thenComparing(sample -> sample.time());

  /** Hosts that report. */
  static final int HOSTS = 100;

  /** All hosts report at this interval, one after the other. */
  static final long INTERVAL_MILLIS = 10_000;

  /** The first report. */
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  /** Returns a name as machines have it. */
  static String host(int number) {
    return "web%03d.example.org".formatted(number);
  }

  /** Returns the names of all hosts, in order. */
  static Stream<String> hosts() {
    return IntStream.range(0, HOSTS).mapToObj(Sample::host);
  }

  /** Returns the time of the last of so many reports. */
  static Instant end(long count) {
    return time(count - 1);
  }

  /** Returns the first reports. */
  static Stream<Sample> first(long count) {
    SplittableRandom random = new SplittableRandom(1);
    return LongStream.range(0, count)
        .mapToObj(i -> new Sample(host((int) (i % HOSTS)), time(i), random.nextLong(1_000)));
  }

  private static Instant time(long report) {
    return BEGIN.plusMillis(
        report / HOSTS * INTERVAL_MILLIS + report % HOSTS * INTERVAL_MILLIS / HOSTS);
  }
}
