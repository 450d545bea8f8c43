package dev.cairn.bench.failover;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the newest acknowledged row of each region in turn, and measures how long the longest read
 * takes.
 */
final class RowReader extends Thread {
  private static final long PAUSE_MILLIS = 5;

  private final Connection connection;
  private final FailoverTable table;
  private final List<RegionWriter> writers;
  private final List<String> missed = new ArrayList<>();
  private volatile boolean stopped;
  private volatile long longestNanos;
  private volatile Exception failure;

  RowReader(Connection connection, FailoverTable table, List<RegionWriter> writers) {
    super("reader");
    setDaemon(true);
    this.connection = connection;
    this.table = table;
    this.writers = writers;
  }

  @Override
  public void run() {
    try (Table open = connection.getTable(table.name())) {
      while (!stopped) {
        for (RegionWriter writer : writers) {
          if (writer.newest().isPresent() && !stopped) {
            read(open, writer.newest().get());
          }
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  private void read(Table open, byte[] row) throws IOException {
    long start = System.nanoTime();
    if (!open.exists(new Get(row))) {
      missed.add(Bytes.toStringBinary(row));
    }
    longestNanos = Math.max(longestNanos, System.nanoTime() - start);
  }

  /** Forgets the longest read so far. Keeps the missed rows. */
  void begin() {
    longestNanos = 0;
  }

  /** Returns how long the longest complete read took. */
  long longestMillis() {
    return longestNanos / 1_000_000;
  }

  /** Ends the thread after its current read. */
  void end() throws InterruptedException {
    stopped = true;
    join();
  }

  /** Returns the failure that ended the thread, if any. */
  Optional<Exception> failure() {
    return Optional.ofNullable(failure);
  }

  /** Returns the acknowledged rows that a read did not find. Called after {@link #end}. */
  List<String> missed() {
    return missed;
  }
}
