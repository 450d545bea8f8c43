package dev.cairn.bench.load;

import dev.cairn.bench.load.Workload.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Does workloads through one connection of HBase's client. Tables are made and filled when a
 * workload first needs them. One thread.
 */
public final class LoadDriver implements Closeable {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] COUNTER = {'n'};
  private static final int COUNTERS = 10_000;
  private static final int SHORT_SCAN_ROWS = 50;
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long SETTLE_SECONDS_MAX = 180;
  private static final int CALM_LOOKS = 3;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private final Connection connection;
  private final LoadPlan plan;
  private final boolean keepsData;
  private final ThreadFactory threads;
  private final LoadLoop loop;
  private final LoadTables tables;
  private final Set<TableName> filled = new HashSet<>();
  private final Map<Workload, YcsbWork> ycsb = new HashMap<>();
  private final SplittableRandom seeds = new SplittableRandom(42); // the same work on every side

  /**
   * Creates a driver.
   *
   * @param connection to the server; closed with the driver
   * @param plan what all workloads have in common
   * @param keepsData whether the server keeps tables and rows; if not, none are made
   * @param threads makes the threads that call
   */
  public LoadDriver(
      Connection connection, LoadPlan plan, boolean keepsData, ThreadFactory threads) {
    this.keepsData = keepsData;
    this.connection = connection;
    this.plan = plan;
    this.threads = threads;
    this.loop = new LoadLoop(threads, INTERVAL_NANOS);
    this.tables = new LoadTables(connection, FAMILY);
  }

  /** Sees to it that the tables are there, and have the rows, that a workload needs. */
  public void prepare(Workload workload) throws IOException {
    if (!keepsData) {
      return;
    }
    TableName name = table(workload);
    switch (workload.kind()) {
      case LOAD -> {
        filled.remove(name);
        tables.createAnew(name, plan.regions());
      }
      case BULK -> {
        filled.remove(name);
        tables.createAnew(name, 1);
      }
      case COUNTER -> {
        if (filled.add(name)) {
          tables.createAnew(name, 1);
        }
      }
      case PUT, GET -> {
        if (filled.add(name)) {
          tables.createAnew(name, 1);
          fillCells(name, workload.valueBytes());
          settle(workload);
        }
      }
      default -> {
        if (filled.add(name)) {
          tables.createAnew(name, plan.regions());
          try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
            YcsbWork.load(plan, FAMILY).fill(mutator, plan.records());
          }
          settle(workload);
        }
      }
    }
  }

  /**
   * Warms up client and server for a workload, which is prepared. Workloads that end by themselves
   * do not warm up with their own data: bulk puts go to a table of their own; loading is measured
   * as it comes, cold.
   */
  public void warmUp(Workload workload, double seconds) throws IOException, InterruptedException {
    if (workload.kind() == Kind.LOAD) {
      return;
    }
    if (workload.kind() == Kind.BULK) {
      TableName warm = TableName.valueOf("warm_up");
      if (keepsData) {
        tables.createAnew(warm, 1);
      }
      loop.run(List.of(bulk(warm, workload.valueBytes())), false, seconds, 0);
      if (keepsData) {
        tables.drop(warm);
      }
      return;
    }
    run(workload, Pace.closed(seconds));
  }

  /** Does a workload, which is prepared. */
  public LoadResult run(Workload workload, Pace pace) throws IOException, InterruptedException {
    Kind kind = workload.kind();
    if (pace.fixed() && !kind.paced()) {
      throw new IllegalArgumentException(workload.label() + " has no rate");
    }
    Thread disturbance = null;
    if (pace.disturbed() && keepsData) {
      disturbance = threads.newThread(() -> disturb(table(workload), pace.seconds()));
      disturbance.start();
    }
    double seconds = kind.counted() ? Double.POSITIVE_INFINITY : pace.seconds();
    try {
      LoadResult result = loop.run(tasks(workload), kind.timed(), seconds, pace.rate());
      if (kind.counted()) {
        filled.add(table(workload));
      }
      return result;
    } finally {
      if (disturbance != null) {
        disturbance.interrupt();
        disturbance.join();
      }
    }
  }

  /** Flushes the table of a workload, and waits until its compactions are over. */
  public void settle(Workload workload) throws IOException {
    TableName name = table(workload);
    try (Admin admin = connection.getAdmin()) {
      admin.flush(name);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS_MAX);
      int calm = 0;
      while (calm < CALM_LOOKS && System.nanoTime() < end) {
        LockSupport.parkNanos(LOOK_NANOS);
        calm = admin.getCompactionState(name) == CompactionState.NONE ? calm + 1 : 0;
      }
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }

  private void disturb(TableName name, double seconds) {
    long quarter = (long) (seconds * TimeUnit.SECONDS.toMillis(1) / 4);
    try (Admin admin = connection.getAdmin()) {
      TimeUnit.MILLISECONDS.sleep(quarter);
      admin.flush(name);
      TimeUnit.MILLISECONDS.sleep(quarter);
      admin.majorCompact(name);
    } catch (InterruptedException | InterruptedIOException e) {
      // The run was shorter than it was to be, which its result tells.
    } catch (IOException e) {
      System.err.println("Flush and compaction while measuring: " + e);
    }
  }

  private List<Task> tasks(Workload workload) throws IOException {
    TableName name = table(workload);
    List<Task> all = new ArrayList<>();
    switch (workload.kind()) {
      case BULK -> all.add(bulk(name, workload.valueBytes()));
      case FULLSCAN -> all.add(new FullScanTask(connection.getTable(name)));
      case LOAD -> {
        YcsbWork work = YcsbWork.load(plan, FAMILY);
        AtomicInteger left = new AtomicInteger(plan.records());
        for (int i = 0; i < plan.threads(); i++) {
          all.add(work.inserts(connection.getTable(name), left));
        }
      }
      default -> {
        for (int i = 0; i < plan.threads(); i++) {
          all.add(task(workload, connection.getTable(name), seeds.split()));
        }
      }
    }
    return all;
  }

  private Task task(Workload workload, Table table, SplittableRandom random) throws IOException {
    int valueBytes = workload.valueBytes();
    return switch (workload.kind()) {
      case PUT -> new CallTask(table, done -> put(table, valueBytes, random, done));
      case GET -> new CallTask(table, done -> get(table, valueBytes, random, done));
      case COUNTER -> new CallTask(table, done -> count(table, random, done));
      case SHORTSCAN -> new CallTask(table, done -> shortScan(table, random, done));
      default -> ycsb(workload).transactions(table);
    };
  }

  private YcsbWork ycsb(Workload workload) throws IOException {
    YcsbWork work = ycsb.get(workload);
    if (work == null) {
      work = YcsbWork.of(workload, plan, FAMILY);
      ycsb.put(workload, work);
    }
    return work;
  }

  private void put(Table table, int valueBytes, SplittableRandom random, Done done)
      throws IOException {
    int row = random.nextInt(plan.cells(valueBytes));
    table.put(CellRows.put(row, FAMILY, valueBytes, random));
    done.was("put", 1, CellRows.bytes(FAMILY, valueBytes));
  }

  private void get(Table table, int valueBytes, SplittableRandom random, Done done)
      throws IOException {
    Result row =
        table.get(new Get(CellRows.key(random.nextInt(plan.cells(valueBytes)))).addFamily(FAMILY));
    done.was("get", 1, 0);
    if (row.isEmpty()) {
      done.foundNothing();
    }
  }

  private static void count(Table table, SplittableRandom random, Done done) throws IOException {
    table.incrementColumnValue(CellRows.key(random.nextInt(COUNTERS)), FAMILY, COUNTER, 1);
    done.was("increment", 1, CellRows.bytes(FAMILY, Long.BYTES));
  }

  private static void shortScan(Table table, SplittableRandom random, Done done)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(Bytes.toBytes(LoadTables.anyYcsbKey(random)))
            .setLimit(SHORT_SCAN_ROWS);
    int found = 0;
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        found += row.isEmpty() ? 0 : 1;
      }
    }
    done.was("scan", 1, 0);
    if (found == 0) {
      done.foundNothing();
    }
  }

  private Task bulk(TableName name, int valueBytes) throws IOException {
    return new BulkTask(
        connection.getBufferedMutator(name),
        FAMILY,
        valueBytes,
        plan.cells(valueBytes),
        seeds.split());
  }

  private void fillCells(TableName name, int valueBytes) throws IOException {
    try (Task bulk = bulk(name, valueBytes)) {
      Done done = new Done();
      while (bulk.next(done)) {}
    }
  }

  private static TableName table(Workload workload) {
    return switch (workload.kind().data()) {
      case YCSB -> TableName.valueOf("usertable");
      case CELLS -> TableName.valueOf("cells_" + workload.valueBytes());
      case COUNTERS -> TableName.valueOf("counters");
    };
  }
}
