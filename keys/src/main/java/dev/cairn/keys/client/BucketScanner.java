package dev.cairn.keys.client;

import dev.cairn.keys.KeyPattern;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;

/** The rows of a {@link BucketScan}. Not safe for use by several threads at a time. */
public final class BucketScanner implements Iterable<Result>, AutoCloseable {
  private final List<BucketSource> sources;
  private final RowOrder order;
  private final ResumeToken token;
  private final Optional<KeyPattern> pattern;
  private final int removedSalt;
  private long rowsLeft;

  /** A row that an iterator has looked at and not returned, and its bucket. */
  private Result ahead;

  private BucketSource aheadSource;

  /** The last row returned, which the token does not say yet, and its bucket. */
  private Result last;

  private BucketSource lastSource;

  BucketScanner(
      List<BucketSource> sources,
      RowOrder order,
      ResumeToken token,
      Optional<KeyPattern> pattern,
      long limit,
      int removedSalt) {
    this.sources = sources;
    this.order = order;
    this.token = token;
    this.pattern = pattern;
    this.removedSalt = removedSalt;
    rowsLeft = limit;
  }

  /**
   * Returns the next row, and waits for it if necessary; or {@code null} after the last one.
   *
   * @throws IOException if the scanner of a bucket fails; close this one then
   */
  public Result next() throws IOException {
    if (!lookAhead()) {
      return null;
    }
    if (lastSource != aheadSource) {
      noteLastRow();
    }
    last = ahead;
    lastSource = aheadSource;
    ahead = null;
    return removedSalt == 0 ? last : UnsaltedRows.of(last, removedSalt);
  }

  /** Finds the next row unless one is ahead. Returns whether there is one. */
  private boolean lookAhead() throws IOException {
    while (ahead == null && rowsLeft > 0) {
      aheadSource = order.next();
      if (aheadSource == null) {
        rowsLeft = 0;
        return false;
      }
      Result row = aheadSource.current();
      if (pattern.isEmpty() || pattern.get().matches(row.getRow())) {
        rowsLeft--;
        ahead = row;
      }
    }
    return ahead != null;
  }

  /**
   * Returns a text with which {@link BucketScan#after} goes on after the last row returned. It says
   * the same to all processes, and stays valid when regions or rows change.
   */
  public String token() {
    noteLastRow();
    return token.toString();
  }

  private void noteLastRow() {
    if (last != null) {
      BucketRanges bucket = lastSource.bucket();
      byte[] key = last.getRow();
      token.returned(bucket.bucket(), Arrays.copyOfRange(key, bucket.saltWidth(), key.length));
      last = null;
    }
  }

  /** Returns the rows that are left. An iterator throws {@link UncheckedIOException}. */
  @Override
  public Iterator<Result> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        try {
          return lookAhead();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public Result next() {
        try {
          Result next = BucketScanner.this.next();
          if (next == null) {
            throw new NoSuchElementException();
          }
          return next;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  /** Closes the scanners of all buckets. Those that fetch rows are closed after that. */
  @Override
  public void close() {
    rowsLeft = 0;
    ahead = null;
    sources.forEach(BucketSource::close);
  }
}
