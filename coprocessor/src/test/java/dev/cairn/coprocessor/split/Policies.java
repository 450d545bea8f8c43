package dev.cairn.coprocessor.split;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;

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

  /** Never splits, not even on request. */
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

  /** Splits at a row of its own, whatever the middle is. */
  static class Own extends DisabledRegionSplitPolicy {
    private Own() {}

    @Override
    protected boolean canSplit() {
      return true;
    }

    @Override
    protected byte[] getSplitPoint() {
      return Bytes.toBytes("500");
    }
  }

  /** Splits a region with a middle above "m". */
  public static class Middle extends RegionSplitPolicy {
    @Override
    protected boolean shouldSplit() {
      return region.getStores().stream()
          .flatMap(store -> store.getSplitPoint().stream())
          .anyMatch(row -> row[0] > 'm');
    }
  }

  /** Names the number of writes and the largest size as its row. */
  public static class Telling extends RegionSplitPolicy {
    @Override
    protected boolean shouldSplit() {
      return true;
    }

    @Override
    protected byte[] getSplitPoint() {
      long size = region.getStores().stream().mapToLong(HStore::getSize).max().orElse(-1);
      return Bytes.toBytes(region.getWriteRequestsCount() + " " + size);
    }
  }

  /** Does not return from shouldSplit until it is released. */
  public static class Stuck extends SteppingSplitPolicy {
    static final AtomicInteger STARTED = new AtomicInteger();
    static volatile CountDownLatch release = new CountDownLatch(1);

    @Override
    protected boolean shouldSplit() {
      STARTED.incrementAndGet();
      boolean released = false;
      while (!released) {
        try {
          release.await();
          released = true;
        } catch (InterruptedException e) {
          STARTED.addAndGet(1000); // It goes on.
        }
      }
      return true;
    }
  }

  /** Is not made until it is released. */
  public static class Slow extends SteppingSplitPolicy {
    static final CountDownLatch RELEASE = new CountDownLatch(1);

    /** Waits. */
    public Slow() throws InterruptedException {
      RELEASE.await(1, TimeUnit.HOURS);
    }
  }

  /** Cannot be made. */
  public static class WithParameter extends DisabledRegionSplitPolicy {
    /** Takes a parameter, as no policy may. */
    public WithParameter(int unused) {}
  }
}
