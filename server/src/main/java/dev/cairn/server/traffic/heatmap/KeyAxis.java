package dev.cairn.server.traffic.heatmap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Divides the rows of a table into buckets. Bucket {@code i} begins at {@code starts[i]} and ends
 * before the next start; the first one begins at the empty row, and the last one has no end.
 *
 * <p>{@link Learner} chooses the starts so that each bucket has about the same traffic: they are
 * weighted quantiles of the ends of the ranges that it has seen. A row with more traffic than a
 * bucket's share gets a bucket of its own; so does each row if there are few. The borders of
 * regions are starts, too; if they are more than half of the buckets, only an even choice of them.
 */
public final class KeyAxis {
  private final byte[][] starts;

  private KeyAxis(byte[][] starts) {
    this.starts = starts;
  }

  /** Returns the number of buckets, at least 1. */
  public int size() {
    return starts.length;
  }

  /** Returns the first row of a bucket; not to be changed. */
  public byte[] start(int bucket) {
    return starts[bucket];
  }

  /** Returns the bucket of a row. */
  public int bucket(byte[] row) {
    int found = Arrays.binarySearch(starts, row, Arrays::compareUnsigned);
    return found >= 0 ? found : -found - 2;
  }

  /** Returns the bucket of the last row of a range. */
  int lastBucket(KeyRange range) {
    int found = Arrays.binarySearch(starts, range.end(), Arrays::compareUnsigned);
    return Math.max(0, found >= 0 ? found - 1 : -found - 2);
  }

  /**
   * Adds a range to sums by bucket. A range over several buckets is spread over them by their parts
   * of its rows ({@link KeyScale}).
   *
   * @param sums by bucket
   */
  public void spread(KeyRange range, TrafficMetric metric, double[] sums) {
    double value = range.value(metric);
    if (value == 0) {
      return;
    }
    int first = bucket(range.low());
    double[] shares = shares(range, first);
    for (int i = 0; i < shares.length; i++) {
      sums[first + i] += value * shares[i];
    }
  }

  /**
   * Returns the part of a range's rows in each of its buckets.
   *
   * @param first the bucket of the range's first row
   */
  double[] shares(KeyRange range, int first) {
    double[] shares = new double[Math.max(1, lastBucket(range) - first + 1)];
    if (shares.length == 1) {
      shares[0] = 1;
      return shares;
    }
    KeyScale scale = new KeyScale(range.low(), range.end());
    if (scale.isPoint()) {
      Arrays.fill(shares, 1.0 / shares.length);
      return shares;
    }
    double before = 0;
    for (int i = 0; i < shares.length; i++) {
      double place = i + 1 < shares.length ? scale.place(starts[first + i + 1]) : 1;
      shares[i] = Math.max(0, place - before);
      before = Math.max(before, place);
    }
    return shares;
  }

  /** Learns an axis from ranges. Memory is bounded. Not thread-safe. */
  public static final class Learner {
    private static final int POINTS_MAX = 1 << 15;

    private record Point(byte[] key, double weight) {}

    private List<Point> points = new ArrayList<>();

    /** Adds a range with a weight, at least 0. */
    public void add(KeyRange range, double weight) {
      if (weight <= 0) {
        return;
      }
      points.add(new Point(range.low(), weight / 2));
      points.add(new Point(range.end(), weight / 2));
      if (points.size() >= 2 * POINTS_MAX) {
        thin();
      }
    }

    /** Joins neighbours, so that half of the points remain; each keeps the heavier key. */
    private void thin() {
      points.sort((a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
      List<Point> fewer = new ArrayList<>(POINTS_MAX);
      for (int i = 0; i + 1 < points.size(); i += 2) {
        Point low = points.get(i);
        Point high = points.get(i + 1);
        byte[] key = low.weight() >= high.weight() ? low.key() : high.key();
        fewer.add(new Point(key, low.weight() + high.weight()));
      }
      points = fewer;
    }

    /**
     * Returns the axis.
     *
     * @param borders the first rows of regions
     * @param buckets the number of buckets at most, at least 4
     */
    public KeyAxis learn(Collection<byte[]> borders, int buckets) {
      TreeSet<byte[]> starts = new TreeSet<>(Arrays::compareUnsigned);
      starts.add(new byte[0]);
      TreeSet<byte[]> known = new TreeSet<>(Arrays::compareUnsigned);
      known.addAll(borders);
      int every = Math.max(1, (known.size() + buckets / 2 - 1) / (buckets / 2));
      int place = 0;
      for (byte[] border : known) {
        if (place++ % every == 0 && starts.size() < buckets) {
          starts.add(border);
        }
      }
      points.sort((a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
      TreeSet<byte[]> all = new TreeSet<>(starts);
      for (Point point : points) {
        if (all.size() <= buckets) {
          all.add(point.key());
        }
      }
      if (all.size() <= buckets) {
        return new KeyAxis(all.toArray(byte[][]::new));
      }
      double left = points.stream().mapToDouble(Point::weight).sum();
      int free = buckets - starts.size();
      double sum = 0;
      for (Point point : points) {
        // The rest is divided again, because heavy rows take more than a bucket's share.
        if (free > 0 && sum + point.weight() > left / (free + 1) && starts.add(point.key())) {
          free--;
          left -= sum;
          sum = 0;
        }
        sum += point.weight();
      }
      return new KeyAxis(starts.toArray(byte[][]::new));
    }
  }
}
