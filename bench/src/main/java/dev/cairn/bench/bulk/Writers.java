package dev.cairn.bench.bulk;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Put rows one after another until they are closed, and remember the longest put. */
final class Writers implements Closeable {
  private static final int THREADS = 4;
  private static final int VALUE_BYTES = 1000;
  private static final int ROWS = 10_000;
  private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final Connection connection;
  private final TableName table;
  private final int regions;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Future<Void>> running = new ArrayList<>();
  private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);
  private volatile boolean closed;

  /**
   * Starts them.
   *
   * @param table made by {@link BulkSide#createWide}
   * @param regions of the table
   */
  Writers(Connection connection, TableName table, int regions) {
    this.connection = connection;
    this.table = table;
    this.regions = regions;
    for (int i = 0; i < THREADS; i++) {
      running.add(threads.submit(this::write));
    }
  }

  private Void write() throws IOException {
    byte[] value = new byte[VALUE_BYTES];
    try (Table open = connection.getTable(table)) {
      while (!closed) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        byte[] row =
            Bytes.toBytes("%04d-%d".formatted(random.nextInt(regions), random.nextInt(ROWS)));
        long start = System.nanoTime();
        open.put(new Put(row).addColumn(LoadableFiles.FAMILY, new byte[] {'q'}, value));
        longestNanos.accumulate(System.nanoTime() - start);
      }
    }
    return null;
  }

  /** Returns the longest put, in milliseconds, that ended since the last call. */
  double longestMillis() {
    return longestNanos.getThenReset() / NANOS_PER_MILLI;
  }

  /** Ends them; fails if one has failed. */
  @Override
  public void close() throws IOException {
    closed = true;
    threads.shutdown();
    try {
      for (Future<Void> writer : running) {
        writer.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("A writer failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
