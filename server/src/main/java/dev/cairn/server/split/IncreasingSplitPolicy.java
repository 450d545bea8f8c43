package dev.cairn.server.split;

/**
 * Splits a table's first regions early. The limit is the initial size times the cube of the number
 * of the table's regions on this server, at most the maximum region size.
 */
record IncreasingSplitPolicy(SplitSizes sizes) implements SplitPolicy {
  /** Above this number of regions, the maximum region size applies. */
  private static final int REGIONS_MAX = 100;

  @Override
  public boolean shouldSplit(SplitCandidate region) {
    return sizes.exceeds(region, threshold(region.regionsOfTable()));
  }

  private long threshold(long regions) {
    if (regions == 0 || regions > REGIONS_MAX) {
      return sizes.maxBytes();
    }
    double bytes = (double) sizes.initialBytes() * regions * regions * regions;
    return bytes >= sizes.maxBytes() ? sizes.maxBytes() : (long) bytes;
  }
}
