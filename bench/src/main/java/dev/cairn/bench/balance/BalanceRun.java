package dev.cairn.bench.balance;

import dev.cairn.bench.cluster.ClusterProcesses;
import dev.cairn.bench.cluster.Percentiles;
import dev.cairn.bench.compare.ProcessFigures;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalancerDecision;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Runs loads on a table while the balancer of its cluster works. One thread.
 *
 * @param processes the cluster
 * @param connection to the cluster; not closed
 * @param threads the threads that read or write
 */
record BalanceRun(ClusterProcesses processes, Connection connection, int threads) {
  private static final TableName TABLE = TableName.valueOf("balance");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 20_000;
  private static final int VALUE_BYTES = 500;
  private static final int DECISIONS_MAX = 1_000;

  /** One of so many calls of a thread is timed for the percentiles. */
  private static final int SAMPLED = 8;

  /** Creates and fills the table. */
  void createTable(int regions) throws IOException {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = row((long) ROWS * i / regions);
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          splits);
    }
    try (BufferedMutator mutator = connection.getBufferedMutator(TABLE)) {
      for (int i = 0; i < ROWS; i++) {
        mutator.mutate(put(i));
      }
    }
  }

  /**
   * Runs a load.
   *
   * @param seconds how long
   * @param windowSeconds how long a window is
   * @param each gets each window when it has ended
   * @return all windows
   * @throws IOException if a call failed
   */
  List<BalanceWindow> run(
      LoadPattern pattern, int seconds, int windowSeconds, Consumer<BalanceWindow> each)
      throws IOException, InterruptedException {
    try (Admin admin = connection.getAdmin()) {
      Map<ServerName, Long> pids = pids(admin);
      Callers callers = new Callers(pattern);
      callers.start();
      List<BalanceWindow> windows = new ArrayList<>();
      long begun = System.nanoTime();
      int moves = plannedMoves(admin);
      double[] before = cpuSeconds(pids);
      long last = begun;
      for (int at = windowSeconds; at <= seconds; at += windowSeconds) {
        callers.sleep(begun + TimeUnit.SECONDS.toNanos(at));
        double[] after = cpuSeconds(pids);
        long now = System.nanoTime();
        Calls calls = callers.calls();
        double length = (now - last) / 1e9;
        double[] cores = new double[after.length];
        for (int i = 0; i < cores.length; i++) {
          cores[i] = (after[i] - before[i]) / length;
        }
        int planned = plannedMoves(admin);
        BalanceWindow window =
            new BalanceWindow(
                (now - begun) / 1e9,
                cores,
                planned - moves,
                admin.getRegions(TABLE).size(),
                calls.count().sum() / length,
                calls.percentiles(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        windows.add(window);
        each.accept(window);
        before = after;
        last = now;
        moves = planned;
      }
      callers.stop();
      return windows;
    }
  }

  private Map<ServerName, Long> pids(Admin admin) throws IOException {
    Map<ServerName, Long> pids = new TreeMap<>();
    for (ServerName server : admin.getRegionServers()) {
      pids.put(server, processes.pid(server.getPort()));
    }
    return pids;
  }

  private static double[] cpuSeconds(Map<ServerName, Long> pids) throws IOException {
    double[] seconds = new double[pids.size()];
    int at = 0;
    for (long pid : pids.values()) {
      seconds[at++] = ProcessFigures.of(pid).cpuSeconds();
    }
    return seconds;
  }

  private static int plannedMoves(Admin admin) throws IOException {
    return admin
        .getLogEntries(Set.of(), "BALANCER_DECISION", ServerType.MASTER, DECISIONS_MAX, Map.of())
        .stream()
        .mapToInt(one -> ((BalancerDecision) one).getRegionPlans().size())
        .sum();
  }

  private static byte[] row(long number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%08d", number));
  }

  private static Put put(long number) {
    return new Put(row(number)).addColumn(FAMILY, FAMILY, new byte[VALUE_BYTES]);
  }

  /** The calls of a window; the list of durations is guarded by itself. */
  private record Calls(LongAdder count, List<Long> sampledNanos) {
    Percentiles percentiles() {
      Percentiles millis = new Percentiles();
      synchronized (sampledNanos) {
        sampledNanos.forEach(nanos -> millis.add(nanos / 1e6));
      }
      return millis;
    }
  }

  /** The threads that call. */
  private final class Callers {
    private final LoadPattern pattern;
    private final LoadPattern.Rows rows;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final AtomicReference<Calls> current = new AtomicReference<>(none());
    private final List<Thread> running = new ArrayList<>();

    Callers(LoadPattern pattern) {
      this.pattern = pattern;
      this.rows = pattern.begin(ROWS);
    }

    private static Calls none() {
      return new Calls(new LongAdder(), new ArrayList<>());
    }

    void start() {
      for (int i = 0; i < threads; i++) {
        Thread thread = new Thread(this::call, "caller " + i);
        thread.setDaemon(true);
        thread.start();
        running.add(thread);
      }
    }

    private void call() {
      try (Table table = connection.getTable(TABLE)) {
        for (long n = 0; !stopped.get(); n++) {
          long row = rows.next();
          long begun = System.nanoTime();
          if (pattern.isWrite()) {
            table.put(put(row));
          } else {
            table.get(new Get(row(row)));
          }
          Calls calls = current.get();
          calls.count().increment();
          if (n % SAMPLED == 0) {
            long took = System.nanoTime() - begun;
            synchronized (calls.sampledNanos()) {
              calls.sampledNanos().add(took);
            }
          }
        }
      } catch (IOException | RuntimeException e) {
        failure.compareAndSet(null, e);
      }
    }

    /** Returns the calls since the last call of this method. */
    Calls calls() {
      return current.getAndSet(none());
    }

    void sleep(long untilNanos) throws IOException, InterruptedException {
      TimeUnit.NANOSECONDS.sleep(untilNanos - System.nanoTime());
      if (failure.get() != null) {
        throw new IOException("A call of the load " + pattern + " failed", failure.get());
      }
    }

    void stop() throws InterruptedException {
      stopped.set(true);
      for (Thread thread : running) {
        thread.join();
      }
    }
  }
}
