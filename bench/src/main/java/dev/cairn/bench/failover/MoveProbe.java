package dev.cairn.bench.failover;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * Calls one region again and again, one call at a time, and measures how long each call takes,
 * retries included.
 */
final class MoveProbe extends Thread {
  private static final long PAUSE_MILLIS = 1;

  private final Connection connection;
  private final TableName name;
  private final Supplier<byte[]> rows;
  private final Call call;
  private long longestNanos; // guarded by this, as is the next one
  private long begunNanos = -1;
  private volatile boolean stopped;
  private volatile Exception failure;

  /** One call to a row. */
  @FunctionalInterface
  interface Call {
    /** Calls, and waits for the answer. */
    void run(Table table, byte[] row) throws IOException;
  }

  /**
   * Creates it.
   *
   * @param rows returns the row of the next call
   */
  MoveProbe(String what, Connection connection, TableName name, Supplier<byte[]> rows, Call call) {
    super(what);
    setDaemon(true);
    this.connection = connection;
    this.name = name;
    this.rows = rows;
    this.call = call;
  }

  @Override
  public void run() {
    try (Table table = connection.getTable(name)) {
      while (!stopped) {
        begun(System.nanoTime());
        call.run(table, rows.get());
        ended(System.nanoTime());
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  private synchronized void begun(long nanos) {
    begunNanos = nanos;
  }

  private synchronized void ended(long nanos) {
    longestNanos = Math.max(longestNanos, nanos - begunNanos);
    begunNanos = -1;
    notifyAll();
  }

  /** Forgets the calls that have ended, and waits until the present one has ended, too. */
  synchronized void begin() throws InterruptedException {
    awaitEnd();
    longestNanos = 0;
  }

  /** Waits for the end of the present call. Returns the longest time of a call, milliseconds. */
  synchronized double longestMillis() throws InterruptedException {
    awaitEnd();
    return longestNanos / 1e6;
  }

  private void awaitEnd() throws InterruptedException {
    while (begunNanos >= 0 && isAlive()) {
      wait(100);
    }
  }

  /** Ends the thread after its present call. */
  void end() throws InterruptedException {
    stopped = true;
    join();
  }

  /** Returns the failure that ended the thread, if any. */
  Optional<Exception> failure() {
    return Optional.ofNullable(failure);
  }
}
