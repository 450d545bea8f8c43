package dev.cairn.studies.names;

import java.time.Instant;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A view of a page at a time. No two views have the same time. */
record View(String page, Instant time, long visitor) {
  /** By page, then by time. */
  static final Comparator<View> ORDER =
      Comparator.comparing((View view) -> view.page()).thenComparing(view -> view.time());

  /** How many pages there are. */
  static final int PAGES = 1_000;

  /** In which sections they are; each page is in one. */
  static final int SECTIONS = 50;

  private static final long VISITORS = 1_000_000;

  /** The time of the first view. */
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  /** Returns what the names of a section's pages begin with. */
  static String section(int number) {
    return "https://www.example.org/departments/section-%02d/".formatted(number);
  }

  /** Returns the name of a page, about 80 bytes. */
  static String page(int number) {
    return section(number % SECTIONS) + "articles/2026/an-article-about-%05d".formatted(number);
  }

  /** Returns the first views. */
  static Stream<View> first(long count) {
    SplittableRandom random = new SplittableRandom(4);
    return LongStream.range(0, count)
        .mapToObj(
            i ->
                new View(
                    page(random.nextInt(PAGES)), BEGIN.plusMillis(i), random.nextLong(VISITORS)));
  }
}
