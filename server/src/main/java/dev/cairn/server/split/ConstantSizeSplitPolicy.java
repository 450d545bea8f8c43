package dev.cairn.server.split;

/** Splits a region that is larger than the maximum region size. */
record ConstantSizeSplitPolicy(SplitSizes sizes) implements SplitPolicy {
  @Override
  public boolean shouldSplit(SplitCandidate region) {
    return sizes.exceeds(region, sizes.maxBytes());
  }
}
