package dev.cairn.bench.failover;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Writes one row after the other into one region, and measures how long it waits for a write. */
final class RegionWriter extends Thread {
  private static final long PAUSE_MILLIS = 20;

  private final Connection connection;
  private final TableName table;
  private final String prefix;
  private final List<byte[]> acknowledged = new ArrayList<>();
  private volatile byte[] newest;
  private volatile boolean stopped;
  private volatile long lastNanos = System.nanoTime();
  private volatile long longestNanos;
  private volatile Exception failure;

  /**
   * Creates a writer.
   *
   * @param prefix what its rows begin with, different for each writer and run
   */
  RegionWriter(Connection connection, TableName table, String prefix) {
    super("writer " + prefix);
    setDaemon(true);
    this.connection = connection;
    this.table = table;
    this.prefix = prefix;
  }

  @Override
  public void run() {
    try (Table open = connection.getTable(table)) {
      while (!stopped) {
        byte[] row = Bytes.toBytes(prefix + "-%08d".formatted(acknowledged.size()));
        open.put(new Put(row).addColumn(FailoverTable.FAMILY, FailoverTable.QUALIFIER, row));
        acknowledged.add(row);
        newest = row;
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - lastNanos);
        lastNanos = now;
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  /** Forgets the pauses so far. */
  void begin() {
    longestNanos = 0;
  }

  /** Returns the row that was acknowledged last, if any. */
  Optional<byte[]> newest() {
    return Optional.ofNullable(newest);
  }

  /** Tells whether a write after {@code sinceNanos} was acknowledged within the last second. */
  boolean writesSince(long sinceNanos) {
    return lastNanos > sinceNanos && System.nanoTime() - lastNanos < 1_000_000_000L;
  }

  /** Returns the longest time between two acknowledged writes, up to now. */
  long longestPauseMillis() {
    return Math.max(longestNanos, stopped ? 0 : System.nanoTime() - lastNanos) / 1_000_000;
  }

  /** Ends the thread after its present write. */
  void end() throws InterruptedException {
    stopped = true;
    join();
  }

  /** Returns why the writer has ended by itself. */
  Optional<Exception> failure() {
    return Optional.ofNullable(failure);
  }

  /** Returns the number of acknowledged rows; after {@link #end}. */
  int acknowledged() {
    return acknowledged.size();
  }

  /** Returns the acknowledged rows that the table does not have; after {@link #end}. */
  List<String> lost() throws IOException {
    List<String> lost = new ArrayList<>();
    try (Table open = connection.getTable(table)) {
      List<Get> gets = acknowledged.stream().map(Get::new).toList();
      boolean[] found = open.exists(gets);
      for (int i = 0; i < found.length; i++) {
        if (!found[i]) {
          lost.add(Bytes.toStringBinary(acknowledged.get(i)));
        }
      }
    }
    return lost;
  }
}
