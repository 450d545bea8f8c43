package dev.cairn.server.traffic.heatmap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums the traffic of rows in a bounded number of ranges. While there are few rows, each is a range
 * of its own; above {@value #RANGES_MAX} ranges, neighbours with little traffic are joined ({@link
 * KeyAxis}). Not thread-safe.
 */
public final class KeyHistogram {
  /** The most ranges that are held. */
  public static final int RANGES_MAX = 1_024;

  private static final class Sum {
    private final byte[] low;
    private byte[] end;
    private final double[] values = new double[TrafficMetric.COUNT];

    Sum(byte[] low, byte[] end) {
      this.low = low;
      this.end = end;
    }

    KeyRange range() {
      return new KeyRange(low, end, values);
    }
  }

  private final TreeMap<byte[], Sum> sums = new TreeMap<>(Arrays::compareUnsigned);

  /** Tells whether nothing was added. */
  public boolean isEmpty() {
    return sums.isEmpty();
  }

  /**
   * Adds to a row.
   *
   * @param row not to be changed later
   */
  public void add(byte[] row, TrafficMetric metric, double value) {
    if (value != 0) {
      sum(row).values[metric.ordinal()] += value;
    }
  }

  private Sum sum(byte[] row) {
    Map.Entry<byte[], Sum> below = sums.floorEntry(row);
    if (below != null && Arrays.compareUnsigned(row, below.getValue().end) < 0) {
      return below.getValue();
    }
    if (sums.size() >= RANGES_MAX) {
      List<KeyRange> fewer = ranges(List.of(), RANGES_MAX / 2);
      sums.clear();
      fewer.forEach(this::put);
      return sum(row);
    }
    Sum added = new Sum(row, KeyRange.after(row));
    sums.put(row, added);
    return added;
  }

  private void put(KeyRange range) {
    Sum sum = new Sum(range.low(), range.end());
    System.arraycopy(range.values(), 0, sum.values, 0, TrafficMetric.COUNT);
    sums.put(range.low(), sum);
  }

  /**
   * Returns the sums as ranges that do not cross a border.
   *
   * @param borders the first rows of regions
   * @param max how many ranges at most, at least 4
   */
  public List<KeyRange> ranges(Collection<byte[]> borders, int max) {
    return join(sums.values().stream().map(Sum::range).toList(), borders, max);
  }

  /**
   * Joins ranges, perhaps of several steps of time, to disjoint ones.
   *
   * @param borders the first rows of regions
   * @param max how many ranges at most, at least 4
   */
  public static List<KeyRange> join(List<KeyRange> ranges, Collection<byte[]> borders, int max) {
    KeyAxis.Learner learner = new KeyAxis.Learner();
    double[] totals = new double[TrafficMetric.COUNT];
    for (KeyRange range : ranges) {
      for (int i = 0; i < totals.length; i++) {
        totals[i] += range.values()[i];
      }
    }
    for (KeyRange range : ranges) {
      learner.add(range, weight(range, totals));
    }
    KeyAxis axis = learner.learn(borders, max);
    Sum[] joined = new Sum[axis.size()];
    for (KeyRange range : ranges) {
      int first = axis.bucket(range.low());
      double[] shares = axis.shares(range, first);
      int last = first + shares.length - 1;
      for (int bucket = first; bucket <= last; bucket++) {
        byte[] low = bucket == first ? range.low() : axis.start(bucket);
        byte[] end = bucket == last ? range.end() : axis.start(bucket + 1);
        add(joined, bucket, low, end, range.values(), shares[bucket - first]);
      }
    }
    List<KeyRange> result = new ArrayList<>();
    for (Sum sum : joined) {
      if (sum != null) {
        result.add(sum.range());
      }
    }
    return result;
  }

  private static void add(
      Sum[] joined, int bucket, byte[] low, byte[] end, double[] values, double share) {
    Sum sum = joined[bucket];
    if (sum == null) {
      sum = new Sum(low, end);
    } else if (Arrays.compareUnsigned(low, sum.low) < 0) {
      Sum wider = new Sum(low, sum.end);
      System.arraycopy(sum.values, 0, wider.values, 0, TrafficMetric.COUNT);
      sum = wider;
    }
    if (Arrays.compareUnsigned(end, sum.end) > 0) {
      sum.end = end;
    }
    for (int i = 0; i < values.length; i++) {
      sum.values[i] += values[i] * share;
    }
    joined[bucket] = sum;
  }

  /** Returns the sum of a range's shares of all metrics. */
  private static double weight(KeyRange range, double[] totals) {
    double weight = 0;
    for (int i = 0; i < totals.length; i++) {
      weight += totals[i] == 0 ? 0 : range.values()[i] / totals[i];
    }
    return weight;
  }
}
