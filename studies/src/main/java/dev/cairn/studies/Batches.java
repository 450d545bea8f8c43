package dev.cairn.studies;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Requests that are sent together. */
public final class Batches {
  /** Rows that one request reads or writes. */
  public static final int ROWS = 500;

  private Batches() {}

  /** Does something with a part of a list. */
  public interface Each<T> {
    /** Handles a part. */
    void part(List<T> part) throws IOException;
  }

  /** Makes changes, {@link #ROWS} at a time. */
  public static void write(Table table, List<? extends Row> changes) throws IOException {
    divide(
        changes,
        part -> {
          try {
            table.batch(part, new Object[part.size()]);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException().initCause(e);
          }
        });
  }

  /**
   * Lets a scan return {@link #ROWS} with each call, because other requests are made in between: a
   * scanner ends if its client does not call within a minute.
   */
  public static Scan slow(Scan scan) {
    return scan.setCaching(ROWS);
  }

  /** Divides a list into parts of up to {@link #ROWS}. */
  public static <T> void divide(List<T> all, Each<T> each) throws IOException {
    for (int from = 0; from < all.size(); from += ROWS) {
      each.part(all.subList(from, Math.min(all.size(), from + ROWS)));
    }
  }

  /** Divides what an iterator returns into parts of up to {@link #ROWS}. */
  public static <T> void divide(Iterable<T> all, Each<T> each) throws IOException {
    List<T> part = new ArrayList<>();
    for (T one : all) {
      part.add(one);
      if (part.size() == ROWS) {
        each.part(part);
        part = new ArrayList<>();
      }
    }
    if (!part.isEmpty()) {
      each.part(part);
    }
  }
}
