package dev.cairn.server.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts values in buckets whose width is a sixteenth of their lower bound or less, so a percentile
 * is wrong by at most 6.25 %. Values above {@value #MAX} count as that. Takes memory only for the
 * powers of two that occur, 150 bytes each. Thread-safe; recording takes no lock and allocates only
 * for the first value of each power of two.
 */
public final class Histogram {
  /** The largest value: 73 minutes in nanoseconds, or 4 TB. */
  static final long MAX = (1L << 42) - 1;

  private static final int SUB_BITS = 4;
  static final int SUB_BUCKETS = 1 << SUB_BITS;
  private static final int ROWS = 42 - SUB_BITS + 1;

  /** How long a window lasts at least, as in HBase. */
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AtomicReferenceArray<AtomicLongArray> rows = new AtomicReferenceArray<>(ROWS);
  private final LongAdder sum = new LongAdder();
  private HistogramSnapshot windowStart = HistogramSnapshot.EMPTY; // guarded by this
  private HistogramSnapshot window = HistogramSnapshot.EMPTY; // guarded by this
  private long windowNanos; // guarded by this
  private boolean isRead; // guarded by this

  /** Adds a value; a negative one counts as 0. */
  public void record(long value) {
    long bounded = Math.max(0, Math.min(MAX, value));
    int bucket = bucket(bounded);
    int row = bucket >>> SUB_BITS;
    AtomicLongArray counts = rows.get(row);
    if (counts == null) {
      counts = created(row);
    }
    counts.getAndIncrement(bucket & (SUB_BUCKETS - 1));
    sum.add(bounded);
  }

  private AtomicLongArray created(int row) {
    rows.compareAndSet(row, null, new AtomicLongArray(SUB_BUCKETS));
    return rows.get(row);
  }

  /** Returns the number of the bucket of a value. */
  static int bucket(long value) {
    if (value < SUB_BUCKETS) {
      return (int) value;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(value) - SUB_BITS;
    return (shift << SUB_BITS) + (int) (value >>> shift);
  }

  /** Returns the least value of a bucket. */
  static long lowerBound(int bucket) {
    if (bucket < 2 * SUB_BUCKETS) {
      return bucket;
    }
    int shift = (bucket >>> SUB_BITS) - 1;
    return (long) ((bucket & (SUB_BUCKETS - 1)) + SUB_BUCKETS) << shift;
  }

  /** Returns what was recorded since the creation. */
  public HistogramSnapshot snapshot() {
    int first = 0;
    int last = ROWS;
    while (first < ROWS && rows.get(first) == null) {
      first++;
    }
    while (last > first && rows.get(last - 1) == null) {
      last--;
    }
    long[] counts = new long[(last - first) * SUB_BUCKETS];
    for (int row = first; row < last; row++) {
      AtomicLongArray own = rows.get(row);
      for (int i = 0; own != null && i < SUB_BUCKETS; i++) {
        counts[(row - first) * SUB_BUCKETS + i] = own.get(i);
      }
    }
    return new HistogramSnapshot(first * SUB_BUCKETS, counts, sum.sum());
  }

  /**
   * Returns what was recorded, in total and in the last window. A window ends with the first
   * reading that comes ten seconds or more after the window's begin; readings in between return the
   * window before. The first window begins with the creation and ends with the first reading.
   *
   * @param nowNanos the clock's time
   */
  public synchronized HistogramReading read(long nowNanos) {
    HistogramSnapshot total = snapshot();
    if (!isRead || nowNanos - windowNanos >= WINDOW_NANOS) {
      isRead = true;
      window = total.minus(windowStart);
      windowStart = total;
      windowNanos = nowNanos;
    }
    return new HistogramReading(total, window);
  }
}
