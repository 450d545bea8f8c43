package dev.cairn.studies.web;

import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A page that a crawler has read. */
record Page(String domain, String path, String title) {
  /** By domain, then by path. */
  static final Comparator<Page> ORDER =
      Comparator.comparing((Page page) -> page.domain()).thenComparing(page -> page.path());

  /** How many sites there are; each has a domain and some domains below it. */
  static final int SITES = 2_000;

  /** The top-level domains, with as many sites each. */
  static final List<String> TOPS =
      List.of("com", "de", "edu", "fr", "io", "it", "net", "nl", "org", "uk");

  /** What a site's domains have before its name; the last ones make other sites. */
  private static final List<String> BEFORE = List.of("", "www.", "blog.", "www.shop.", "my-", "x");

  /** Returns the domain of a site. */
  static String site(int number) {
    return site(number, "");
  }

  private static String site(int number, String more) {
    return "site%d%s.%s".formatted(number, more, TOPS.get(number % TOPS.size()));
  }

  /** Returns the first pages: one of a random domain after the other. */
  static Stream<Page> first(long count) {
    SplittableRandom random = new SplittableRandom(5);
    return LongStream.range(0, count).mapToObj(i -> page(i, random));
  }

  private static Page page(long number, SplittableRandom random) {
    String more = random.nextInt(10) == 0 ? "-shop" : "";
    String domain = BEFORE.get(random.nextInt(BEFORE.size())) + site(random.nextInt(SITES), more);
    return new Page(
        domain,
        "/articles/%d/%d".formatted(random.nextInt(10), number),
        "The article %016x of %s".formatted(random.nextLong(), domain));
  }

  /** Returns the last two labels of a domain. */
  static String siteOf(String domain) {
    int last = domain.lastIndexOf('.');
    return domain.substring(domain.lastIndexOf('.', last - 1) + 1);
  }
}
