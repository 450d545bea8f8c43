package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.waiting.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Threads that write through HBase's client into one table of four regions, all in different ways,
 * and one that reads; and what they know of the table's contents afterwards.
 */
final class Workload {
  static final TableName TABLE = TableName.valueOf("work");
  private static final long AWAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
  private static final byte[][] SPLITS = {{'4'}, {'8'}, {'c'}};

  private final List<Writer> writers = new ArrayList<>();
  private final AtomicLong steps = new AtomicLong();

  Workload(SplittableRandom random) {
    for (WideRowWriter.Way way : WideRowWriter.Way.values()) {
      writers.add(new WideRowWriter(way, random.split()));
    }
    writers.add(new DeletingWriter(random.split()));
    writers.add(new ChangingWriter(random.split()));
    SharedCounters.Sums sums = new SharedCounters.Sums();
    writers.add(new SharedCounters(sums, true, random.split()));
    writers.add(new SharedCounters(sums, false, random.split()));
  }

  /** Creates the table. */
  static void createTable(Connection connection) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    for (String family : List.of("a", "b", "n")) {
      table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table.build(), SPLITS);
    }
  }

  /** Returns how many steps were acknowledged so far. */
  long steps() {
    return steps.get();
  }

  /** Waits until {@code more} steps have been acknowledged, but not for long. */
  void await(int more) {
    long target = steps.get() + more;
    long end = System.nanoTime() + AWAIT_NANOS_MAX;
    while (steps.get() < target && System.nanoTime() < end) {
      LockSupport.parkNanos(200_000);
    }
  }

  /**
   * Lets all threads begin.
   *
   * @param connection stays open until the run has ended
   */
  Run begin(Connection connection) {
    return new Run(connection);
  }

  /** The time from beginning to end of the threads. */
  final class Run {
    private final Connection connection;
    private final Map<Writer, AtomicLong> done = new ConcurrentHashMap<>();
    private final AtomicLong longestNanos = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean ending;
    private volatile boolean failuresExpected;

    private Run(Connection connection) {
      this.connection = connection;
      for (Writer writer : writers) {
        done.put(writer, new AtomicLong());
        threads.add(new Thread(() -> write(writer), writer.toString()));
      }
      threads.add(new Thread(this::read, "reading"));
      threads.forEach(Thread::start);
    }

    /** Says that from now on the server may fail. */
    void expectFailures() {
      failuresExpected = true;
    }

    /** Waits until each writer has done one more step. */
    void awaitEach() {
      Map<Writer, Long> before = new HashMap<>();
      done.forEach((writer, steps) -> before.put(writer, steps.get()));
      Eventually.holds(
          () ->
              !failures.isEmpty()
                  || before.entrySet().stream()
                      .allMatch(known -> done.get(known.getKey()).get() > known.getValue()),
          "each writer goes on");
    }

    /** Returns how long the longest step took, nanoseconds. */
    long longestNanos() {
      return longestNanos.get();
    }

    /** Ends the threads after the step that each is at. */
    void end() throws InterruptedException {
      ending = true;
      for (Thread thread : threads) {
        thread.join();
      }
      if (!failures.isEmpty()) {
        AssertionError all = new AssertionError("A client failed: " + failures.peek());
        failures.forEach(all::addSuppressed);
        throw all;
      }
    }

    private void write(Writer writer) {
      try (Table table = connection.getTable(TABLE)) {
        while (!ending) {
          long began = System.nanoTime();
          writer.step(connection, table);
          steps.incrementAndGet();
          done.get(writer).incrementAndGet();
          longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
        }
      } catch (IOException e) {
        failed(e);
      } catch (RuntimeException | Error e) {
        failures.add(e);
      }
    }

    /** No reader ever sees half of a row. */
    private void read() {
      while (!ending) {
        try (Table table = connection.getTable(TABLE)) {
          scan(table, new Scan().setCaching(7));
        } catch (IOException | UncheckedIOException e) {
          failed(e);
          return;
        } catch (RuntimeException | Error e) {
          failures.add(e);
          return;
        }
      }
    }

    private void failed(Exception e) {
      if (!failuresExpected) {
        failures.add(e);
      }
    }
  }

  /**
   * Fails unless the table holds what was acknowledged, and of the rest either all or nothing. The
   * next run begins with what it holds.
   */
  void verify(Connection connection) throws IOException {
    List<String> wrong = new ArrayList<>();
    try (Table table = connection.getTable(TABLE)) {
      Map<String, SortedMap<String, String>> found = scan(table, new Scan());
      writers.forEach(writer -> wrong.addAll(writer.compare(found)));
      found.forEach((row, contents) -> wrong.add("row " + row + " was never written: " + contents));
    }
    assertThat(wrong).isEmpty();
  }

  private static Map<String, SortedMap<String, String>> scan(Table table, Scan scan)
      throws IOException {
    Map<String, SortedMap<String, String>> found = new HashMap<>();
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        String row = Bytes.toString(result.getRow());
        SortedMap<String, String> contents = Writer.contents(result);
        if (row.contains("-wide-")) {
          Set<String> values = new HashSet<>(contents.values());
          assertThat(values).as("torn row %s: %s", row, contents).hasSize(1);
          assertThat(contents.keySet()).as(row).containsExactlyElementsOf(WideRowWriter.COLUMNS);
        }
        found.put(row, contents);
      }
    }
    return found;
  }
}
