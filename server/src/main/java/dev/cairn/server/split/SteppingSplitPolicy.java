package dev.cairn.server.split;

/**
 * Splits the only region of a table on this server above the initial size, and others above the
 * largest size of a region.
 */
record SteppingSplitPolicy(SplitSizes sizes) implements SplitPolicy {
  @Override
  public boolean shouldSplit(SplitCandidate region) {
    boolean alone = region.regionsOfTable() == 1;
    return sizes.exceeds(region, alone ? sizes.initialBytes() : sizes.maxBytes());
  }
}
