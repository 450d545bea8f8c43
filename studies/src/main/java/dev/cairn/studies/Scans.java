package dev.cairn.studies;

import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.KeyRange;
import dev.cairn.keys.client.BucketScan;
import dev.cairn.keys.client.BucketScanner;
import dev.cairn.keys.client.KeyFilters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Scans that make a list of their rows. Safe for use by several threads. */
public final class Scans {
  private static final int BUCKETS_AT_A_TIME = 16;

  /** For the requests of all scans over buckets; its threads do not keep the program alive. */
  private static final ExecutorService POOL =
      Executors.newFixedThreadPool(
          BUCKETS_AT_A_TIME,
          task -> {
            Thread thread = new Thread(task, "buckets");
            thread.setDaemon(true);
            return thread;
          });

  private Scans() {}

  /** Returns a scan of a range of rows. */
  public static Scan of(KeyRange range) {
    Scan scan = new Scan().withStartRow(range.start());
    return range.stop().length == 0 ? scan : scan.withStopRow(range.stop());
  }

  /** Returns a value for each row of a scan. */
  public static <T> List<T> list(
      Connection connection, TableName table, Scan scan, IoFunction<Result, T> value)
      throws IOException {
    List<T> values = new ArrayList<>();
    try (Table opened = connection.getTable(table);
        ResultScanner rows = opened.getScanner(scan)) {
      for (Result row : rows) {
        values.add(value.apply(row));
      }
    }
    return values;
  }

  /**
   * Returns a value for each row whose key matches a pattern, in no order. Without a salt, one scan
   * goes from range to range; with one, there is a scan for each bucket, at the same time.
   */
  public static <T> List<T> list(
      Connection connection, TableName table, KeyPattern pattern, IoFunction<Result, T> value)
      throws IOException {
    if (pattern.format().salt().isPresent()) {
      BucketScan scan = BucketScan.of(pattern).unordered().with(filtered(pattern, new Scan()));
      return buckets(connection, table, scan, value);
    }
    List<KeyRange> ranges = pattern.ranges();
    Scan scan =
        new Scan()
            .withStartRow(ranges.get(0).start())
            .withStopRow(ranges.get(ranges.size() - 1).stop());
    if (pattern.rangesAreExact()) {
      return list(
          connection,
          table,
          ranges.size() == 1 ? scan : scan.setFilter(KeyFilters.ranges(pattern)),
          value);
    }
    List<T> values = new ArrayList<>();
    try (Table opened = connection.getTable(table);
        ResultScanner rows = opened.getScanner(filtered(pattern, scan))) {
      for (Result row : rows) {
        if (pattern.matches(row.getRow())) {
          values.add(value.apply(row));
        }
      }
    }
    return values;
  }

  /**
   * Returns a value for each of the first rows whose keys match a pattern, in the order of the keys
   * without salts.
   *
   * @param reversed whether the order is that of a reversed scan
   */
  public static <T> List<T> first(
      Connection connection,
      TableName table,
      KeyPattern pattern,
      boolean reversed,
      int limit,
      IoFunction<Result, T> value)
      throws IOException {
    int ranges = pattern.ranges().size();
    // Each bucket has a part of the rows. A request for more would read what is not needed.
    int atOnce = ranges == 1 ? limit : limit / ranges + 2;
    Scan scan = filtered(pattern, new Scan().setReversed(reversed).setCaching(atOnce));
    return buckets(connection, table, BucketScan.of(pattern).with(scan).limit(limit), value);
  }

  private static <T> List<T> buckets(
      Connection connection, TableName table, BucketScan scan, IoFunction<Result, T> value)
      throws IOException {
    List<T> values = new ArrayList<>();
    try (BucketScanner rows = scan.open(connection, table, POOL)) {
      for (Result row : rows) {
        values.add(value.apply(row));
      }
    }
    return values;
  }

  /**
   * Lets servers leave out other keys in the ranges, if they can: after a free part of variable
   * length, the places of later parts are not known, and the client looks at all keys.
   */
  private static Scan filtered(KeyPattern pattern, Scan scan) {
    if (pattern.rangesAreExact()) {
      return scan;
    }
    try {
      return scan.setFilter(KeyFilters.fuzzy(pattern));
    } catch (IllegalArgumentException e) {
      return scan;
    }
  }
}
