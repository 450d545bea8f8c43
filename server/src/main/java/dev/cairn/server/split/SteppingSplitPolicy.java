package dev.cairn.server.split;

/**
 * Splits the only region of a table on this server above the initial size, and all others above the
 * maximum region size.
 */
record SteppingSplitPolicy(SplitSizes sizes) implements SplitPolicy {
  @Override
  public boolean shouldSplit(SplitCandidate region) {
    boolean alone = region.regionsOfTable() == 1;
    return sizes.exceeds(region, alone ? sizes.initialBytes() : sizes.maxBytes());
  }
}
