package dev.cairn.server.split;

/** Splits as {@link IncreasingSplitPolicy} does, but keeps rows with a common prefix together. */
record PrefixSplitPolicy(IncreasingSplitPolicy size, SplitRestriction prefix)
    implements SplitPolicy {
  @Override
  public boolean shouldSplit(SplitCandidate region) {
    return size.shouldSplit(region);
  }

  @Override
  public byte[] restrict(byte[] row) {
    return prefix.apply(row);
  }
}
