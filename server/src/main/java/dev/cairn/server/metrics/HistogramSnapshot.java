package dev.cairn.server.metrics;

import java.util.Arrays;

/** The counts of a {@link Histogram} at one moment, or the difference of two. Unchanging. */
public final class HistogramSnapshot {
  /** The snapshot of an empty histogram. */
  public static final HistogramSnapshot EMPTY = new HistogramSnapshot(0, new long[0], 0);

  private final int firstBucket;
  private final long[] counts;
  private final long sum;
  private final long count;

  /**
   * Creates a snapshot.
   *
   * @param firstBucket the number of the first bucket of {@code counts}
   * @param counts of consecutive buckets
   * @param sum of all values
   */
  HistogramSnapshot(int firstBucket, long[] counts, long sum) {
    this.firstBucket = firstBucket;
    this.counts = counts;
    this.sum = sum;
    this.count = Arrays.stream(counts).sum();
  }

  /** Returns the number of values. */
  public long count() {
    return count;
  }

  /** Returns the sum of all values. */
  public long sum() {
    return sum;
  }

  /** Returns the mean of the values; 0 if there are none. */
  public long mean() {
    return count == 0 ? 0 : Math.max(0, sum) / count;
  }

  /** Returns the lower bound of the least value's bucket; 0 if there are no values. */
  public long min() {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        return Histogram.lowerBound(firstBucket + i);
      }
    }
    return 0;
  }

  /** Returns the largest value of the bucket of the largest value; 0 if there are no values. */
  public long max() {
    return percentile(1);
  }

  /**
   * Returns the largest value of the bucket in which the values reach a part of their number.
   *
   * @param part above 0, at most 1
   */
  public long percentile(double part) {
    long wanted = Math.max(1, (long) Math.ceil(part * count));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return Histogram.lowerBound(firstBucket + i + 1) - 1;
      }
    }
    return 0;
  }

  /**
   * Returns how many values are below a bound. Exact if the bound is a power of two; otherwise the
   * values of the bound's own bucket count if the bound is in the bucket's upper half.
   */
  public long countBelow(long bound) {
    int end = Histogram.bucket(Math.min(bound, Histogram.MAX));
    long lower = Histogram.lowerBound(end);
    if (bound - lower > (Histogram.lowerBound(end + 1) - lower) / 2) {
      end++;
    }
    long below = 0;
    for (int i = 0; i < counts.length && firstBucket + i < end; i++) {
      below += counts[i];
    }
    return below;
  }

  /** Returns the sum of both. */
  public HistogramSnapshot plus(HistogramSnapshot other) {
    return combined(other, 1);
  }

  /** Returns the values after {@code earlier}. */
  HistogramSnapshot minus(HistogramSnapshot earlier) {
    return combined(earlier, -1);
  }

  private HistogramSnapshot combined(HistogramSnapshot other, int sign) {
    if (other.counts.length == 0) {
      return this;
    }
    if (counts.length == 0 && sign > 0) {
      return other;
    }
    int first = Math.min(firstBucket, other.firstBucket);
    int end = Math.max(firstBucket + counts.length, other.firstBucket + other.counts.length);
    long[] both = new long[end - first];
    System.arraycopy(counts, 0, both, firstBucket - first, counts.length);
    for (int i = 0; i < other.counts.length; i++) {
      both[other.firstBucket - first + i] += sign * other.counts[i];
    }
    return new HistogramSnapshot(first, both, sum + sign * other.sum);
  }
}
