package dev.cairn.bench.isolation;

import dev.cairn.bench.compare.ServerProcess;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Calls one server. One thread for each kind makes its calls one after another. Scans have their
 * own connection and a filter that rejects every row, so that they cost the client little.
 */
final class IsolationLoad implements Closeable {
  private static final TableName TABLE = TableName.valueOf("isolation");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int VALUE_BYTES = 100;
  private static final int BATCH = 10;
  private static final int WARM_UP_SECONDS = 5;

  /** The pause between two calls of a thread, which leaves processor time for the server. */
  private static final long PAUSE_MILLIS = 1;

  private final Connection connection;
  private final Connection scanConnection;
  private final int rows;
  private final int scanners;

  private IsolationLoad(Connection connection, Connection scanConnection, int rows, int scanners) {
    this.connection = connection;
    this.scanConnection = scanConnection;
    this.rows = rows;
    this.scanners = scanners;
  }

  /** Fills a table of a server, and warms both up. */
  static IsolationLoad prepare(ServerProcess server, int rows, int scanners)
      throws IOException, InterruptedException {
    IsolationLoad load = new IsolationLoad(server.connect(), server.connect(), rows, scanners);
    load.fill();
    load.alone(WARM_UP_SECONDS);
    load.besideScans(WARM_UP_SECONDS);
    return load;
  }

  private void fill() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      try (BufferedMutator puts = connection.getBufferedMutator(TABLE)) {
        for (int i = 0; i < rows; i++) {
          puts.mutate(put(i));
        }
      }
      admin.flush(TABLE);
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("row%08d", number));
  }

  private static Put put(int number) {
    byte[] value = new byte[VALUE_BYTES];
    ThreadLocalRandom.current().nextBytes(value);
    return new Put(row(number)).addColumn(FAMILY, FAMILY, value);
  }

  private byte[] anyRow() {
    return row(ThreadLocalRandom.current().nextInt(rows));
  }

  /** A call of one kind. */
  private interface Step {
    void call(Table table) throws IOException;
  }

  private Map<String, Step> steps() {
    Map<String, Step> steps = new LinkedHashMap<>();
    steps.put("get", table -> table.get(new Get(anyRow())));
    steps.put(
        "batch of " + BATCH + " gets",
        table -> {
          List<Get> gets = new ArrayList<>();
          for (int i = 0; i < BATCH; i++) {
            gets.add(new Get(anyRow()));
          }
          table.get(gets);
        });
    steps.put("put", table -> table.put(put(ThreadLocalRandom.current().nextInt(rows))));
    steps.put(
        "batch of " + BATCH + " puts",
        table -> {
          List<Put> puts = new ArrayList<>();
          for (int i = 0; i < BATCH; i++) {
            puts.add(put(ThreadLocalRandom.current().nextInt(rows)));
          }
          table.put(puts);
        });
    return steps;
  }

  /** Returns the latencies of each kind of call in nanoseconds, without scans. */
  Map<String, Histogram> alone(int seconds) throws IOException, InterruptedException {
    return measure(seconds, 0);
  }

  /** Returns the latencies of each kind of call in nanoseconds, beside scans. */
  Map<String, Histogram> besideScans(int seconds) throws IOException, InterruptedException {
    return measure(seconds, scanners);
  }

  /** Ends when the last calls begun within the time end; these count, too. */
  private Map<String, Histogram> measure(int seconds, int scans)
      throws IOException, InterruptedException {
    AtomicBoolean ended = new AtomicBoolean();
    Map<String, Histogram> latencies = new LinkedHashMap<>();
    List<Future<?>> tasks = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int i = 0; i < scans; i++) {
        tasks.add(threads.submit(() -> scan(ended)));
      }
      steps()
          .forEach(
              (name, step) -> {
                Histogram histogram = new ConcurrentHistogram(3);
                latencies.put(name, histogram);
                tasks.add(threads.submit(() -> repeat(step, histogram, ended)));
              });
      TimeUnit.SECONDS.sleep(seconds);
      ended.set(true);
      for (Future<?> task : tasks) {
        task.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("A call failed: " + e.getCause().getMessage(), e.getCause());
    } finally {
      ended.set(true);
      threads.shutdown();
    }
    return latencies;
  }

  private Void repeat(Step step, Histogram latencies, AtomicBoolean ended)
      throws IOException, InterruptedException {
    try (Table table = connection.getTable(TABLE)) {
      while (!ended.get()) {
        long start = System.nanoTime();
        step.call(table);
        latencies.recordValue(System.nanoTime() - start);
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
    return null;
  }

  private Void scan(AtomicBoolean ended) throws IOException {
    Scan all =
        new Scan()
            .setFilter(
                new ValueFilter(
                    CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes("no such value"))));
    try (Table table = scanConnection.getTable(TABLE)) {
      while (!ended.get()) {
        try (ResultScanner scanner = table.getScanner(all)) {
          scanner.next();
        }
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    scanConnection.close();
    connection.close();
  }
}
