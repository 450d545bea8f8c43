package dev.cairn.server.quota;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.TimedQuota;

/**
 * Limits an amount per time. The amount refills evenly over the time, up to the limit, as in
 * HBase's {@code AverageIntervalRateLimiter}. Amounts that are known only afterwards may put it
 * into debt, which refills first. Thread-safe.
 */
final class RateLimiter {
  private final TimedQuota quota;
  private final long limit;
  private final double perNano;
  private double available;
  private long filledNanos;

  RateLimiter(TimedQuota quota, long nowNanos) {
    this.quota = quota;
    this.limit = quota.getSoftLimit();
    this.perNano = (double) limit / nanos(quota.getTimeUnit());
    this.available = limit;
    this.filledNanos = nowNanos;
  }

  private static long nanos(HBaseProtos.TimeUnit unit) {
    return java.util.concurrent.TimeUnit.valueOf(unit.name()).toNanos(1);
  }

  /** Returns the setting that this is made of. */
  TimedQuota quota() {
    return quota;
  }

  /**
   * Returns how long to wait until {@code amount} can be had, milliseconds; 0 if it can be had now.
   * More than the limit can be had when all of the limit is there, and leaves a debt.
   */
  synchronized long waitMillis(long amount, long nowNanos) {
    fill(nowNanos);
    double needed = Math.min(Math.max(amount, 1), limit);
    return available >= needed
        ? 0
        : Math.max(1, (long) Math.ceil((needed - available) / perNano / 1_000_000));
  }

  /** Returns how much can be had now; negative for a debt. */
  synchronized long available(long nowNanos) {
    fill(nowNanos);
    return (long) Math.floor(available);
  }

  /** Takes {@code amount}; gives it back if it is negative. */
  synchronized void consume(long amount) {
    available -= amount;
  }

  private void fill(long nowNanos) {
    available = Math.min(limit, available + (nowNanos - filledNanos) * perNano);
    filledNanos = nowNanos;
  }
}
