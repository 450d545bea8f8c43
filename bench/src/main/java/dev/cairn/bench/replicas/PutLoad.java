package dev.cairn.bench.replicas;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Threads that put rows of one cell, one row per call, until they are ended. */
final class PutLoad {
  private static final int ROWS = 1_000_000;

  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder puts = new LongAdder();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private volatile boolean stopped;

  /** Starts the threads. */
  PutLoad(Connection connection, ReplicaTable table, int valueBytes, int count) {
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(() -> run(connection, table, valueBytes), "puts");
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void run(Connection connection, ReplicaTable table, int valueBytes) {
    Random random = new Random();
    byte[] value = new byte[valueBytes];
    random.nextBytes(value);
    try (Table open = connection.getTable(table.name())) {
      while (!stopped) {
        byte[] row = Bytes.toBytes("%08d".formatted(random.nextInt(ROWS)));
        open.put(new Put(row).addColumn(ReplicaTable.FAMILY, ReplicaTable.QUALIFIER, value));
        puts.increment();
      }
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Returns the number of acknowledged puts. */
  long puts() {
    return puts.sum();
  }

  /** Ends the threads. */
  void end() throws IOException, InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new IOException("A put failed: " + failure.get(), failure.get());
    }
  }
}
