package dev.cairn.keys.client;

import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;

/**
 * A scan over all buckets of a table with salted keys. It has a scanner for each bucket, which
 * fetches ahead, and returns the rows in the order of their keys without salts, or as they come.
 *
 * <pre>{@code
 * KeyFormat format = KeyFormat.parse("salt(16), host string, time timestamp desc");
 * try (BucketScanner rows =
 *     BucketScan.of(format.pattern().is("host", "web1")).limit(100).open(connection, table, pool)) {
 *   for (Result row : rows) {
 *     KeyValues key = format.decode(row.getRow());
 *     ...
 *   }
 *   String token = rows.token(); // a later scan goes on with after(token)
 * }
 * }</pre>
 *
 * <p>Immutable. A scan of a format without salt has one bucket.
 */
public final class BucketScan {
  private final KeyPattern pattern;
  private final Scan scan;
  private final long limit;
  private final boolean ordered;
  private final boolean withoutSalt;
  private final Optional<String> after;

  private BucketScan(
      KeyPattern pattern,
      Scan scan,
      long limit,
      boolean ordered,
      boolean withoutSalt,
      Optional<String> after) {
    this.pattern = pattern;
    this.scan = scan;
    this.limit = limit;
    this.ordered = ordered;
    this.withoutSalt = withoutSalt;
    this.after = after;
  }

  /** Returns a scan of all rows whose keys match, in order. */
  public static BucketScan of(KeyPattern pattern) {
    return new BucketScan(pattern, new Scan(), Long.MAX_VALUE, true, false, Optional.empty());
  }

  /**
   * Returns the scan with columns, filter, caching, direction and all else that another one has.
   *
   * @throws IllegalArgumentException if it has rows, a limit, a batch, or allows partial results:
   *     the pattern has the rows, {@link #limit} is the limit, and only whole rows can be merged
   */
  public BucketScan with(Scan template) {
    if (template.getStartRow().length > 0 || template.getStopRow().length > 0) {
      throw new IllegalArgumentException("the scan has rows; the pattern says which are scanned");
    }
    if (template.getLimit() >= 0) {
      throw new IllegalArgumentException("the scan has a limit; set it by limit()");
    }
    if (template.getBatch() > 0 || template.getAllowPartialResults()) {
      throw new IllegalArgumentException("the scan returns parts of rows; only rows are merged");
    }
    return new BucketScan(pattern, template, limit, ordered, withoutSalt, after);
  }

  /** Returns the scan with at most this many rows. */
  public BucketScan limit(long rows) {
    if (rows < 1) {
      throw new IllegalArgumentException("a limit of " + rows + " rows");
    }
    return new BucketScan(pattern, scan, rows, ordered, withoutSalt, after);
  }

  /** Returns the scan in no order: rows come as soon as a bucket has them. */
  public BucketScan unordered() {
    return new BucketScan(pattern, scan, limit, false, withoutSalt, after);
  }

  /** Returns the scan with rows whose keys have no salt. Its cells are new objects. */
  public BucketScan withoutSalt() {
    return new BucketScan(pattern, scan, limit, ordered, true, after);
  }

  /**
   * Returns the scan of the rows that follow those of an earlier one.
   *
   * @param token what {@link BucketScanner#token} of the same scan returned, in this process or
   *     another one
   */
  public BucketScan after(String token) {
    return new BucketScan(pattern, scan, limit, ordered, withoutSalt, Optional.of(token));
  }

  /**
   * Begins the scan.
   *
   * @param pool runs one request for each bucket at a time; no task waits for another one, so any
   *     number of threads will do
   * @throws IllegalArgumentException if the token is that of another scan
   * @throws RejectedExecutionException if the pool takes no tasks
   */
  public BucketScanner open(Connection connection, TableName table, Executor pool)
      throws IOException {
    List<BucketRanges> buckets = buckets();
    ResumeToken resumed = ResumeToken.read(after, ordered, buckets, scan.isReversed());
    boolean exact = pattern.rangesAreExact();
    Scan template = new Scan(scan);
    if (exact && limit <= Integer.MAX_VALUE) {
      template.setLimit((int) limit);
    }
    List<BucketSource> sources = new ArrayList<>();
    try {
      for (BucketRanges bucket : buckets) {
        BucketRanges rest = resumed.rest(bucket);
        sources.add(new BucketSource(connection, table, template, rest, pool));
      }
    } catch (RejectedExecutionException e) {
      sources.forEach(BucketSource::close);
      throw e;
    }
    RowOrder order = ordered ? new MergedRows(sources) : new ArrivingRows(sources);
    return new BucketScanner(
        sources,
        order,
        resumed,
        exact ? Optional.empty() : Optional.of(pattern),
        limit,
        withoutSalt ? pattern.format().saltWidth() : 0);
  }

  /** Returns the ranges of each bucket, in the order in which they are scanned. */
  private List<BucketRanges> buckets() {
    int saltWidth = pattern.format().saltWidth();
    TreeMap<Integer, List<KeyRange>> ranges = new TreeMap<>();
    for (KeyRange range : pattern.ranges()) {
      int bucket = 0;
      for (int i = 0; i < saltWidth; i++) {
        bucket = bucket << Byte.SIZE | range.start()[i] & 0xFF;
      }
      ranges.computeIfAbsent(bucket, any -> new ArrayList<>()).add(range);
    }
    List<BucketRanges> buckets = new ArrayList<>();
    ranges.forEach(
        (bucket, inOrder) ->
            buckets.add(BucketRanges.of(bucket, saltWidth, inOrder, scan.isReversed())));
    return buckets;
  }
}
