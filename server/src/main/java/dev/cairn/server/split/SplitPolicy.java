package dev.cairn.server.split;

/**
 * Decides when one region is split. The caller checks whether the region can be split: system
 * tables and regions with references cannot. Thread-safe.
 */
public sealed interface SplitPolicy
    permits BusySplitPolicy,
        ConstantSizeSplitPolicy,
        DisabledSplitPolicy,
        IncreasingSplitPolicy,
        PrefixSplitPolicy,
        SteppingSplitPolicy {
  /** Splits no region, not even on request. */
  SplitPolicy DISABLED = new DisabledSplitPolicy();

  /** Tells whether the region should be split now. */
  boolean shouldSplit(SplitCandidate region);

  /** Returns the row to split at instead of {@code row}; empty if there is none. */
  default byte[] restrict(byte[] row) {
    return row;
  }
}
