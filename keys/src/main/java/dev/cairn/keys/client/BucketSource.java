package dev.cairn.keys.client;

import dev.cairn.keys.KeyRange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * The rows of one bucket in their order. While the rows of one request are taken, the pool makes
 * the next request: a source holds the rows of at most two.
 *
 * <p>The thread that takes rows owns this object. Only the request that runs touches the scanner;
 * the next one begins after it, and so does closing.
 */
final class BucketSource {
  private static final int DEFAULT_ROWS = 500;

  private final Connection connection;
  private final TableName tableName;
  private final Scan template;
  private final BucketRanges bucket;
  private final Iterator<KeyRange> ranges;
  private final Executor pool;
  private final int rowsPerRequest;

  // Of the request that runs.
  private Table table;
  private ResultScanner scanner;

  // Of the thread that takes rows.
  private CompletableFuture<Result[]> request;
  private Result[] rows = {};
  private int next;
  private Result current;

  BucketSource(
      Connection connection,
      TableName tableName,
      Scan template,
      BucketRanges bucket,
      Executor pool) {
    this.connection = connection;
    this.tableName = tableName;
    this.template = template;
    this.bucket = bucket;
    this.pool = pool;
    ranges = bucket.ranges().iterator();
    rowsPerRequest = template.getCaching() > 0 ? template.getCaching() : DEFAULT_ROWS;
    request = requestRows();
  }

  BucketRanges bucket() {
    return bucket;
  }

  /** Returns the row that {@link #advance} moved to, or {@code null} after the last one. */
  Result current() {
    return current;
  }

  /** Returns the request that runs or has rows; it fails as the scanner does. */
  CompletableFuture<Result[]> request() {
    return request;
  }

  /** Returns whether {@link #advance} does not wait. */
  boolean isReady() {
    return next < rows.length || request.isDone();
  }

  /** Moves to the next row, and waits for it if necessary. Returns whether there is one. */
  boolean advance() throws IOException {
    if (next == rows.length) {
      rows = await(request);
      next = 0;
      if (rows.length == 0) {
        current = null;
        return false;
      }
      request = requestRows();
    }
    current = rows[next];
    rows[next++] = null;
    return true;
  }

  private CompletableFuture<Result[]> requestRows() {
    return CompletableFuture.supplyAsync(this::fetch, pool);
  }

  /** Fetches some rows, or none at the end of the last range. */
  private Result[] fetch() {
    try {
      while (true) {
        if (scanner == null) {
          if (!ranges.hasNext()) {
            return new Result[0];
          }
          open(ranges.next());
        }
        Result[] fetched = scanner.next(rowsPerRequest);
        if (fetched.length > 0) {
          return fetched;
        }
        scanner.close();
        scanner = null;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void open(KeyRange range) throws IOException {
    if (table == null) {
      table = connection.getTable(tableName);
    }
    Scan scan = new Scan(template).setCaching(rowsPerRequest);
    if (bucket.reversed()) {
      // A reversed scan begins at its start row, which is the greatest one.
      scan.withStartRow(range.stop(), false).withStopRow(range.start(), true);
    } else {
      scan.withStartRow(range.start()).withStopRow(range.stop());
    }
    scanner = table.getScanner(scan);
  }

  private static Result[] await(CompletableFuture<Result[]> request) throws IOException {
    try {
      return request.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for rows");
    } catch (ExecutionException | CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException unchecked) {
        throw new IOException(unchecked.getCause().getMessage(), unchecked.getCause());
      }
      throw new IOException(e.getCause());
    }
  }

  /** Closes the scanner as soon as no request uses it. Does not wait. */
  void close() {
    request.whenComplete((rows, error) -> closeScanner());
  }

  private void closeScanner() {
    if (scanner != null) {
      scanner.close();
      scanner = null;
    }
    if (table != null) {
      try {
        table.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      table = null;
    }
  }

  /** Returns the sources that have rows, after their first one. */
  static List<BucketSource> advanced(List<BucketSource> sources) throws IOException {
    List<BucketSource> withRows = new ArrayList<>();
    for (BucketSource source : sources) {
      if (source.advance()) {
        withRows.add(source);
      }
    }
    return withRows;
  }
}
