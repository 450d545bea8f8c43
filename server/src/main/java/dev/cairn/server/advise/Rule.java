package dev.cairn.server.advise;

import java.util.Locale;

/** The problems that the adviser looks for. */
public enum Rule {
  /** All writes go to one end of the key space. */
  GROWING_KEYS("Keys only grow"),
  /** All writes go to the ends of a few prefixes. */
  GROWING_PREFIXES("Keys grow within few prefixes"),
  /** One region has much more load than the others, for no other reason. */
  SKEWED_PREFIXES("Prefixes are skewed"),
  /** One row has a large part of the load. */
  HOT_ROW("One row is hot"),
  /** Short scans are repeated in each bucket of salted keys. */
  SALTED_SCANS("Short scans over salted keys"),
  /** Names take more room than values. */
  LONG_NAMES("Names are too long for their cells"),
  /** The table has too many families. */
  MANY_FAMILIES("Too many families"),
  /** A family keeps too many versions. */
  MANY_VERSIONS("Too many versions"),
  /** Rows have very many cells. */
  WIDE_ROWS("Rows are very wide"),
  /** Scans read many rows without returning them. */
  HIDDEN_ROWS("Scans pass hidden rows"),
  /** Filtered scans look at many rows that an index would leave out. */
  MISSING_INDEX("An index is missing"),
  /** No scan uses an index. */
  UNUSED_INDEX("An index is never used"),
  /** Point reads read large blocks for little data. */
  LARGE_BLOCKS("Blocks are too large for point reads"),
  /** Point reads have no Bloom filter. */
  NO_BLOOM_FILTER("A Bloom filter is missing"),
  /** No read uses the Bloom filter. */
  USELESS_BLOOM_FILTER("A Bloom filter is useless"),
  /** Expired cells stay in files. */
  EXPIRED_CELLS("Expired cells stay in files");

  private final String title;

  Rule(String title) {
    this.title = title;
  }

  /** Returns the heading. */
  public String title() {
    return title;
  }

  /** Returns the name in JSON: lower case with hyphens. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
