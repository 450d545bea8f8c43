package dev.cairn.server.split;

/**
 * Decides when one region is split. Whether the region can be split at all is the caller's to
 * check: system tables and regions with references never are. Thread-safe.
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

  /** Returns where to split in place of {@code row}; an empty row if it cannot be split there. */
  default byte[] restrict(byte[] row) {
    return row;
  }
}
