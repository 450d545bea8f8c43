package dev.cairn.bench.load;

import dev.cairn.bench.load.Workload.Distribution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * One of YCSB's core workloads. It continues where it stopped: the rows that one run inserts exist
 * in the next. Any thread.
 */
final class YcsbWork {
  private static final double ALL = 1;

  private final CoreWorkload core;
  private final byte[] family;

  private YcsbWork(CoreWorkload core, byte[] family) {
    this.core = core;
    this.family = family;
  }

  /** Returns the workload that inserts all rows, once. */
  static YcsbWork load(LoadPlan plan, byte[] family) throws IOException {
    return new YcsbWork(core(plan, Map.of(), "zipfian"), family);
  }

  /** Returns one of A to F. */
  static YcsbWork of(Workload workload, LoadPlan plan, byte[] family) throws IOException {
    Map<String, Double> shares =
        switch (workload.kind()) {
          case A -> Map.of("read", 0.5, "update", 0.5);
          case B -> Map.of("read", 0.95, "update", 0.05);
          case C -> Map.of("read", ALL);
          case D -> Map.of("read", 0.95, "insert", 0.05);
          case E -> Map.of("scan", 0.95, "insert", 0.05);
          case F -> Map.of("read", 0.5, "readmodifywrite", 0.5);
          default -> throw new IllegalArgumentException(workload.label() + " is not YCSB's");
        };
    String distribution =
        workload.kind() == Workload.Kind.D
            ? "latest"
            : workload.distribution() == Distribution.UNIFORM ? "uniform" : "zipfian";
    return new YcsbWork(core(plan, shares, distribution), family);
  }

  private static CoreWorkload core(LoadPlan plan, Map<String, Double> shares, String distribution)
      throws IOException {
    Properties properties = new Properties();
    properties.setProperty("recordcount", Integer.toString(plan.records()));
    // What it expects to insert: it draws from so many more rows, and again where there is none
    // yet.
    properties.setProperty("operationcount", Integer.toString(plan.records()));
    properties.setProperty("fieldcount", Integer.toString(plan.fields()));
    properties.setProperty("fieldlength", Integer.toString(plan.fieldBytes()));
    properties.setProperty("requestdistribution", distribution);
    properties.setProperty("maxscanlength", "100");
    properties.setProperty("scanlengthdistribution", "uniform");
    for (String operation : new String[] {"read", "update", "insert", "scan", "readmodifywrite"}) {
      properties.setProperty(
          operation + "proportion",
          String.format(Locale.ROOT, "%.2f", shares.getOrDefault(operation, 0.0)));
    }
    Measurements.setProperties(properties); // it wants to measure by itself; nobody asks it
    CoreWorkload core = new CoreWorkload();
    try {
      core.init(properties);
    } catch (WorkloadException e) {
      throw new IOException("YCSB refuses its settings: " + properties, e);
    }
    return core;
  }

  /** Returns a thread's share of the transactions. */
  Task transactions(Table table) {
    YcsbClient client = new YcsbClient(table, family);
    return new YcsbTask(table, client, () -> core.doTransaction(client, null), () -> true);
  }

  /**
   * Returns a thread's share of the inserts.
   *
   * @param left how many rows no thread has taken yet
   */
  Task inserts(Table table, AtomicInteger left) {
    YcsbClient client = new YcsbClient(table, family);
    return new YcsbTask(
        table, client, () -> core.doInsert(client, null), () -> left.getAndDecrement() > 0);
  }

  /** Inserts {@code count} rows through a BufferedMutator. */
  void fill(BufferedMutator mutator, int count) {
    Buffering buffering = new Buffering(mutator, family);
    for (int i = 0; i < count; i++) {
      core.doInsert(buffering, null);
    }
  }

  private record YcsbTask(
      Table table, YcsbClient client, Supplier<Boolean> operation, Supplier<Boolean> permission)
      implements Task {
    @Override
    public boolean next(Done done) throws IOException {
      if (!permission.get()) {
        return false;
      }
      client.begin();
      try {
        if (!operation.get()) {
          throw new IOException("An operation of YCSB's failed");
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      client.tell(done);
      return true;
    }

    @Override
    public void close() throws IOException {
      table.close();
    }
  }

  /** Knows inserts only. */
  private static final class Buffering extends DB {
    private final BufferedMutator mutator;
    private final byte[] family;

    Buffering(BufferedMutator mutator, byte[] family) {
      this.mutator = mutator;
      this.family = family;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      Put put = new Put(Bytes.toBytes(key));
      values.forEach(
          (field, content) -> put.addColumn(family, Bytes.toBytes(field), content.toArray()));
      try {
        mutator.mutate(put);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status delete(String table, String key) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> found) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status scan(
        String table,
        String start,
        int count,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> found) {
      return Status.NOT_IMPLEMENTED;
    }
  }
}
