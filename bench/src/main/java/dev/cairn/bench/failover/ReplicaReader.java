package dev.cairn.bench.failover;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads a row of each region in turn, also from replicas ({@link Consistency#TIMELINE}). Counts the
 * reads that fail, and measures how long the longest one takes. The row need not be found: a
 * replica may not have it yet.
 */
final class ReplicaReader extends Thread {
  private static final long PAUSE_MILLIS = 5;

  private final Connection connection;
  private final FailoverTable table;
  private volatile boolean stopped;
  private volatile long longestNanos;
  private volatile int answered;
  private volatile int stale;
  private volatile int failed;
  private volatile Exception failure;

  ReplicaReader(Connection connection, FailoverTable table) {
    super("reader of replicas");
    setDaemon(true);
    this.connection = connection;
    this.table = table;
  }

  @Override
  public void run() {
    try (Table open = connection.getTable(table.name())) {
      while (!stopped) {
        for (int region = 0; region < table.regions() && !stopped; region++) {
          read(open, table.row(region));
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e;
      failed++;
    }
  }

  private void read(Table open, byte[] row) {
    long start = System.nanoTime();
    try {
      if (open.get(new Get(row).setConsistency(Consistency.TIMELINE)).isStale()) {
        stale++;
      }
      answered++;
    } catch (IOException e) {
      failed++;
      failure = e;
    }
    longestNanos = Math.max(longestNanos, System.nanoTime() - start);
  }

  /** Forgets the reads so far. */
  void begin() {
    longestNanos = 0;
    answered = 0;
    stale = 0;
    failed = 0;
  }

  /** Ends the thread after its current read. */
  void end() throws InterruptedException {
    stopped = true;
    join();
  }

  /** Returns the result of the reads. Called after {@link #end}. */
  Reads reads() {
    return new Reads(
        answered, stale, failed, longestNanos / 1_000_000, Optional.ofNullable(failure));
  }

  /**
   * The reads during a fault.
   *
   * @param answered the number of answered reads
   * @param stale how many of them a replica answered
   * @param failed the number of reads that failed
   * @param longestMillis how long the longest read took
   * @param failure the last failure, if any
   */
  record Reads(
      int answered, int stale, int failed, long longestMillis, Optional<Exception> failure) {}
}
