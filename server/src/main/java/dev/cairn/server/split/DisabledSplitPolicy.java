package dev.cairn.server.split;

/** Splits no region, not even on request. */
record DisabledSplitPolicy() implements SplitPolicy {
  @Override
  public boolean shouldSplit(SplitCandidate region) {
    return false;
  }
}
