package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;

/** Calls the methods of a split policy, which are visible only in HBase's package. */
public final class PolicyCalls {
  private PolicyCalls() {}

  /** Prepares a policy for its region. */
  public static void configure(RegionSplitPolicy policy, Configuration settings, HRegion region) {
    policy.setConf(settings);
    policy.configureForRegion(region);
  }

  /** Returns whether the region may be split, also on request. */
  public static boolean canSplit(RegionSplitPolicy policy) {
    return policy.canSplit();
  }

  /** Returns whether the region should be split now. */
  public static boolean shouldSplit(RegionSplitPolicy policy) {
    return policy.shouldSplit();
  }

  /** Returns the row at which the region should be split; null if there is none. */
  public static byte[] splitPoint(RegionSplitPolicy policy) {
    return policy.getSplitPoint();
  }
}
