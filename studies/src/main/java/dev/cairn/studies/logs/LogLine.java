package dev.cairn.studies.logs;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A line of a host's log of a type. No two lines have the same time. */
record LogLine(String host, String type, Instant time, String text) {
  /** By type, host and time. */
  static final Comparator<LogLine> ORDER =
      Comparator.comparing((LogLine line) -> line.type())
          .thenComparing(line -> line.host())
          .thenComparing(line -> line.time());

  /** Hosts that write. */
  static final int HOSTS = 100;

  /** The types of lines. */
  static final List<String> TYPES =
      List.of("auth.login", "db.query", "kernel.message", "web.access", "web.error");

  /** Of 100 lines, how many have a type or one before it. */
  private static final int[] SHARES = {5, 30, 40, 98, 100};

  private static final int MILLIS_MEAN = 50;

  /** The time before the first line. */
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  /** Returns a name as machines have it. */
  static String host(int number) {
    return "web%03d.rack%02d.example.org".formatted(number, number % 10);
  }

  /** Returns the names of all hosts, in order. */
  static Stream<String> hosts() {
    return IntStream.range(0, HOSTS).mapToObj(LogLine::host);
  }

  /** Returns a time after the last of so many lines. */
  static Instant end(long count) {
    return BEGIN.plusMillis(count * MILLIS_MEAN + 1);
  }

  /** Returns the first lines, in the order of time. */
  static Stream<LogLine> first(long count) {
    SplittableRandom random = new SplittableRandom(2);
    return LongStream.range(0, count).mapToObj(i -> line(i, random));
  }

  private static LogLine line(long number, SplittableRandom random) {
    int share = random.nextInt(100);
    int type = 0;
    while (share >= SHARES[type]) {
      type++;
    }
    String text =
        "request %016x of client 10.0.%d.%d took %d ms"
            .formatted(
                random.nextLong(), random.nextInt(256), random.nextInt(256), random.nextInt(1_000));
    return new LogLine(
        host(random.nextInt(HOSTS)),
        TYPES.get(type),
        BEGIN.plusMillis(number * MILLIS_MEAN + random.nextInt(MILLIS_MEAN)),
        text);
  }
}
