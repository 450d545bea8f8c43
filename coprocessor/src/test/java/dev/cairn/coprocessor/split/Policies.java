package dev.cairn.coprocessor.split;

import java.util.Arrays;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy;

/** Split policies as users write them. */
public final class Policies {
  private Policies() {}

  /** Splits when HBase's default policy does, at the first two bytes of the row. */
  public static class Cut extends SteppingSplitPolicy {
    @Override
    protected byte[] getSplitPoint() {
      byte[] row = super.getSplitPoint();
      return row == null ? null : Arrays.copyOf(row, Math.min(2, row.length));
    }
  }

  /** Splits whatever has files. */
  public static class Eager extends ConstantSizeRegionSplitPolicy {
    @Override
    protected boolean shouldSplit() {
      return canSplit() && isExceedSize(getConf().getLong("test.size", Long.MAX_VALUE));
    }
  }

  /** Splits a region with at least 10 writes, of which one was blocked. */
  public static class Counting extends RegionSplitPolicy {
    @Override
    protected boolean shouldSplit() {
      return region.getWriteRequestsCount() >= 10 && region.getBlockedRequestsCount() >= 1;
    }
  }

  /** Never splits by itself. */
  public static class Never extends DisabledRegionSplitPolicy {}

  /** Fails when it is asked. */
  public static class Failing extends RegionSplitPolicy {
    @Override
    protected boolean shouldSplit() {
      throw new IllegalStateException("no answer");
    }

    @Override
    protected byte[] getSplitPoint() {
      region.getReadRequestsCount(); // not served to policies
      return new byte[] {1};
    }
  }

  /** Cannot be made. */
  public static class WithParameter extends DisabledRegionSplitPolicy {
    /** Takes a parameter, as no policy may. */
    public WithParameter(int unused) {}
  }
}
