package dev.cairn.server.traffic.sketch;

import dev.cairn.server.traffic.sketch.SpaceSaving.HeavyKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The hottest rows and prefixes of a stream of rows: one {@link SpaceSaving} sketch of whole rows,
 * and one for each length of a prefix. With total weight N, a row's count is at most N / {@value
 * #ROWS} too large, and a prefix's at most N / {@value #PREFIXES}. Not thread-safe.
 */
public final class HotKeys {
  /** The counters for rows. */
  public static final int ROWS = 64;

  /** The counters for the prefixes of each length. */
  public static final int PREFIXES = 32;

  private static final int[] LENGTHS = {1, 2, 4, 8, 16};

  /** A prefix is left out if a longer one has at least this share of its weight. */
  private static final double SAME_SHARE = 0.9;

  private final SpaceSaving<ByteString> rows;
  private final List<SpaceSaving<ByteString>> prefixes;

  /** Creates an empty sketch. */
  public HotKeys() {
    this(
        new SpaceSaving<>(ROWS),
        Arrays.stream(LENGTHS).mapToObj(length -> new SpaceSaving<ByteString>(PREFIXES)).toList());
  }

  private HotKeys(SpaceSaving<ByteString> rows, List<SpaceSaving<ByteString>> prefixes) {
    this.rows = rows;
    this.prefixes = prefixes;
  }

  /**
   * Adds weight to a row and its prefixes. A row is no prefix of itself.
   *
   * @param row not to be changed later
   */
  public void add(byte[] row, double weight) {
    ByteString key = UnsafeByteOperations.unsafeWrap(row);
    rows.add(key, weight);
    for (int i = 0; i < LENGTHS.length && LENGTHS[i] < row.length; i++) {
      prefixes.get(i).add(key.substring(0, LENGTHS[i]), weight);
    }
  }

  /** Returns the total weight. */
  public double total() {
    return rows.total();
  }

  /** Returns the largest weight that a row which is not held can have. */
  public double absentRowMax() {
    return rows.absentMax();
  }

  /**
   * Returns at most {@code max} rows, the heaviest first. Leaves out those that may have only 2 /
   * {@value #ROWS} of the weight or less: of many equal rows, the sketch names some by chance.
   */
  public List<HeavyKey<ByteString>> rows(int max) {
    return rows.top(ROWS).stream().filter(row -> isHot(row, ROWS)).limit(max).toList();
  }

  private boolean isHot(HeavyKey<ByteString> key, int counters) {
    return key.atLeast() * counters > 2 * total();
  }

  /**
   * Returns at most {@code max} prefixes of all lengths, the heaviest first. Leaves out those that
   * may have only 2 / {@value #PREFIXES} of the weight or less, and a prefix whose weight is almost
   * all that of a longer one.
   */
  public List<HeavyKey<ByteString>> prefixes(int max) {
    List<HeavyKey<ByteString>> found = new ArrayList<>();
    Set<ByteString> covered = new HashSet<>();
    for (int i = LENGTHS.length - 1; i >= 0; i--) {
      for (HeavyKey<ByteString> prefix : prefixes.get(i).top(PREFIXES)) {
        if (isHot(prefix, PREFIXES) && !covered.contains(prefix.key())) {
          found.add(prefix);
          for (int shorter = 0; shorter < i; shorter++) {
            cover(prefix, shorter, covered);
          }
        }
      }
    }
    found.sort(Comparator.comparingDouble((HeavyKey<ByteString> key) -> key.count()).reversed());
    return found.stream().limit(max).toList();
  }

  private void cover(HeavyKey<ByteString> longer, int shorter, Set<ByteString> covered) {
    ByteString key = longer.key().substring(0, LENGTHS[shorter]);
    prefixes.get(shorter).top(PREFIXES).stream()
        .filter(one -> one.key().equals(key))
        .filter(one -> longer.atLeast() >= SAME_SHARE * one.count())
        .forEach(one -> covered.add(key));
  }

  /** Returns the sketch of both streams together. */
  public HotKeys merge(HotKeys other) {
    List<SpaceSaving<ByteString>> both = new ArrayList<>();
    for (int i = 0; i < LENGTHS.length; i++) {
      both.add(prefixes.get(i).merge(other.prefixes.get(i)));
    }
    return new HotKeys(rows.merge(other.rows), both);
  }
}
