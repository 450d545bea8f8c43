package dev.cairn.keys.client;

import dev.cairn.keys.FuzzyKey;
import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.KeyRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Pair;

/** HBase's filters and scans for the keys that match a pattern. */
public final class KeyFilters {
  private KeyFilters() {}

  /**
   * Returns a filter for the bytes that matching keys have. Other keys may have them, too, as
   * {@link KeyPattern#fuzzyKeys} says.
   *
   * @throws IllegalArgumentException if there are no such bytes, or a given part stands after a
   *     free one of variable length
   */
  public static FuzzyRowFilter fuzzy(KeyPattern pattern) {
    List<FuzzyKey> keys = pattern.fuzzyKeys();
    if (!haveBytes(keys)) {
      throw new IllegalArgumentException("no byte of the keys is known; scan without this filter");
    }
    return filter(keys);
  }

  private static boolean haveBytes(List<FuzzyKey> keys) {
    return keys.stream().allMatch(key -> key.key().length > 0);
  }

  private static FuzzyRowFilter filter(List<FuzzyKey> keys) {
    List<Pair<byte[], byte[]>> pairs = new ArrayList<>();
    keys.forEach(key -> pairs.add(new Pair<>(key.key(), key.free())));
    return new FuzzyRowFilter(pairs);
  }

  /**
   * Returns a filter for the ranges of a pattern.
   *
   * @throws IllegalArgumentException if no key matches
   */
  public static MultiRowRangeFilter ranges(KeyPattern pattern) {
    List<RowRange> ranges = new ArrayList<>();
    for (KeyRange range : someRanges(pattern)) {
      ranges.add(new RowRange(range.start(), true, range.stop(), false));
    }
    return new MultiRowRangeFilter(ranges);
  }

  /**
   * Returns a scan of the keys that match a pattern, with the limits and filters that it needs. It
   * returns other keys, too, if the ranges are not exact and the bytes of other keys match: {@link
   * KeyPattern#matches} decides.
   *
   * @throws IllegalArgumentException if no key matches, or a given part can be found neither by
   *     ranges nor by a fuzzy key
   */
  public static Scan scan(KeyPattern pattern) {
    List<KeyRange> ranges = someRanges(pattern);
    Scan scan =
        new Scan()
            .withStartRow(ranges.get(0).start())
            .withStopRow(ranges.get(ranges.size() - 1).stop());
    List<Filter> filters = new ArrayList<>();
    if (ranges.size() > 1) {
      filters.add(ranges(pattern));
    }
    if (!pattern.rangesAreExact()) {
      List<FuzzyKey> keys = pattern.fuzzyKeys();
      if (haveBytes(keys)) {
        filters.add(filter(keys));
      }
    }
    if (!filters.isEmpty()) {
      scan.setFilter(filters.size() == 1 ? filters.get(0) : new FilterList(filters));
    }
    return scan;
  }

  private static List<KeyRange> someRanges(KeyPattern pattern) {
    List<KeyRange> ranges = pattern.ranges();
    if (ranges.isEmpty()) {
      throw new IllegalArgumentException("no key matches the pattern: an interval is empty");
    }
    return ranges;
  }
}
