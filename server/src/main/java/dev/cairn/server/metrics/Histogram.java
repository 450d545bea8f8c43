package dev.cairn.server.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts values in buckets whose width is a sixteenth of their lower bound or less, so a percentile
 * is wrong by at most 6.25 %. Values above {@value #MAX} count as that. Takes memory only for the
 * powers of two that occur, 150 bytes each. Thread-safe; recording takes no lock and allocates only
 * for the first value of each power of two. A thread that records very often has a {@link Part} of
 * its own.
 */
public final class Histogram {

  /**
   * The contents of a {@link Histogram}.
   *
   * @param total since its creation
   * @param recent in the last window, see {@link Histogram#read}
   */
  public record HistogramReading(HistogramSnapshot total, HistogramSnapshot recent) {
    /** The reading of an empty histogram. */
    public static final HistogramReading NONE =
        new HistogramReading(HistogramSnapshot.EMPTY, HistogramSnapshot.EMPTY);

    /** Returns the sum of both. */
    public HistogramReading plus(HistogramReading other) {
      return new HistogramReading(total.plus(other.total), recent.plus(other.recent));
    }
  }

  /** The largest value: 73 minutes in nanoseconds, or 4 TB. */
  static final long MAX = (1L << 42) - 1;

  private static final int SUB_BITS = 4;
  static final int SUB_BUCKETS = 1 << SUB_BITS;
  private static final int ROWS = 42 - SUB_BITS + 1;

  /** The minimum duration of a window, as in HBase. */
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Buckets shared = new Buckets();
  private final LongAdder sum = new LongAdder();
  private final List<Part> parts = new CopyOnWriteArrayList<>();
  private HistogramSnapshot windowStart = HistogramSnapshot.EMPTY; // guarded by this
  private HistogramSnapshot window = HistogramSnapshot.EMPTY; // guarded by this
  private long windowNanos; // guarded by this
  private boolean isRead; // guarded by this

  /** The counts by bucket; a row for each power of two. */
  private static final class Buckets {
    private final AtomicReferenceArray<AtomicLongArray> rows = new AtomicReferenceArray<>(ROWS);

    AtomicLongArray row(int bucket) {
      int row = bucket >>> SUB_BITS;
      AtomicLongArray counts = rows.get(row);
      return counts == null ? created(row) : counts;
    }

    private AtomicLongArray created(int row) {
      rows.compareAndSet(row, null, new AtomicLongArray(SUB_BUCKETS));
      return rows.get(row);
    }

    /** Returns the first row that has counts, or {@link #ROWS}. */
    int first() {
      int row = 0;
      while (row < ROWS && rows.get(row) == null) {
        row++;
      }
      return row;
    }

    /** Returns the row after the last one that has counts, or 0. */
    int end() {
      int row = ROWS;
      while (row > 0 && rows.get(row - 1) == null) {
        row--;
      }
      return row;
    }

    /** Adds the counts of the rows, starting at {@code first}. */
    void addTo(long[] counts, int first) {
      for (int at = 0; at < counts.length; at += SUB_BUCKETS) {
        AtomicLongArray own = rows.get(first + at / SUB_BUCKETS);
        for (int i = 0; own != null && i < SUB_BUCKETS; i++) {
          counts[at + i] += own.get(i);
        }
      }
    }
  }

  /**
   * Values that one thread records, without atomic additions: these take most of the time of a
   * record.
   */
  public static final class Part {
    private final Buckets buckets = new Buckets();
    private final AtomicLong sum = new AtomicLong();

    private Part() {}

    /** Adds a value; a negative one counts as 0. Only the owning thread calls it. */
    public void record(long value) {
      long bounded = bounded(value);
      int bucket = bucket(bounded);
      AtomicLongArray counts = buckets.row(bucket);
      int i = bucket & (SUB_BUCKETS - 1);
      counts.setOpaque(i, counts.getPlain(i) + 1);
      sum.setOpaque(sum.getPlain() + bounded);
    }
  }

  /** Adds a value; a negative one counts as 0. */
  public void record(long value) {
    long bounded = bounded(value);
    int bucket = bucket(bounded);
    shared.row(bucket).getAndIncrement(bucket & (SUB_BUCKETS - 1));
    sum.add(bounded);
  }

  /** Returns a new part of this histogram for one thread. It stays for as long as this. */
  public Part part() {
    Part part = new Part();
    parts.add(part);
    return part;
  }

  private static long bounded(long value) {
    return Math.max(0, Math.min(MAX, value));
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

  /** Returns the values since the creation. */
  public HistogramSnapshot snapshot() {
    int first = shared.first();
    int end = shared.end();
    for (Part part : parts) {
      first = Math.min(first, part.buckets.first());
      end = Math.max(end, part.buckets.end());
    }
    long[] counts = new long[Math.max(0, end - first) * SUB_BUCKETS];
    shared.addTo(counts, first);
    long total = sum.sum();
    for (Part part : parts) {
      part.buckets.addTo(counts, first);
      total += part.sum.get();
    }
    return new HistogramSnapshot(first * SUB_BUCKETS, counts, total);
  }

  /**
   * Returns the values in total and in the last window. A window ends with the first reading that
   * comes ten seconds or more after the window's begin; readings in between return the previous
   * window. The first window begins with the creation and ends with the first reading.
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
