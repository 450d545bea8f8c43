package dev.cairn.bench.replicas;

import dev.cairn.bench.cluster.LocalProcesses;
import dev.cairn.bench.cluster.MetricsPage;
import dev.cairn.bench.cluster.Percentiles;
import dev.cairn.bench.compare.ProcessFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Measures puts on tables with different numbers of replicas, in one cluster. For one thread. */
final class ReplicasRun {
  private static final long SAMPLE_MILLIS = 500;
  private static final long PLACEMENT_SECONDS = 120;

  private final Connection connection;
  private final int threads;
  private final ServerName primary;
  private final List<Server> servers = new ArrayList<>();

  /** A region server: its process, and the port of its metrics. */
  private record Server(ServerName name, long pid, int infoPort) {}

  /**
   * Creates it, and switches the balancer off.
   *
   * @param threads the number of threads that put
   * @throws IOException also if a region server has not reported within two minutes
   */
  ReplicasRun(LocalProcesses processes, Connection connection, int threads)
      throws IOException, InterruptedException {
    this.connection = connection;
    this.threads = threads;
    try (Admin admin = connection.getAdmin()) {
      admin.balancerSwitch(false, true);
      for (ServerMetrics server : reported(admin)) {
        ServerName name = server.getServerName();
        servers.add(new Server(name, processes.pid(name.getPort()), server.getInfoServerPort()));
      }
    }
    this.primary = servers.get(0).name();
  }

  /** Waits for the first report of each server: only reports have the port of the web server. */
  private static Collection<ServerMetrics> reported(Admin admin)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PLACEMENT_SECONDS);
    while (true) {
      Collection<ServerMetrics> servers = admin.getClusterMetrics().getLiveServerMetrics().values();
      if (servers.stream().allMatch(server -> server.getInfoServerPort() > 0)) {
        return servers;
      }
      if (System.nanoTime() > end) {
        throw new IOException("A region server has not reported: " + servers);
      }
      Thread.sleep(SAMPLE_MILLIS);
    }
  }

  /** Creates a table for each number of replicas, and waits until no server has two copies. */
  List<ReplicaTable> createTables(List<Integer> replicas) throws IOException, InterruptedException {
    List<ReplicaTable> tables = new ArrayList<>();
    for (int count : replicas) {
      ReplicaTable table = ReplicaTable.create(connection, count, primary);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PLACEMENT_SECONDS);
      while (table.replicasApart(connection) < count
          || !table.region(connection).getServerName().equals(primary)) {
        if (System.nanoTime() > end) {
          throw new IOException("The replicas of " + table.name() + " are not on other servers");
        }
        Thread.sleep(SAMPLE_MILLIS);
      }
      tables.add(table);
    }
    return tables;
  }

  /** Puts rows for some time, measures, and flushes the table. */
  private ReplicaTurn turn(ReplicaTable table, int valueBytes, double seconds)
      throws IOException, InterruptedException {
    Percentiles lags = new Percentiles();
    Percentiles memory = new Percentiles();
    List<LagProbe> probes = new ArrayList<>();
    for (int id = 1; id <= table.replicas(); id++) {
      probes.add(new LagProbe(connection, table, id));
    }
    Sample before = sample(table);
    PutLoad load = new PutLoad(connection, table, valueBytes, threads);
    probes.forEach(Thread::start);
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    while (System.nanoTime() < end) {
      Thread.sleep(SAMPLE_MILLIS);
      Sample now = sample(table);
      if (now.memory > 0) {
        memory.add((double) now.replicaMemory / now.memory);
      }
    }
    long puts = load.puts();
    double passed = (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
    load.end();
    for (LagProbe probe : probes) {
      probe.end(lags);
    }
    Sample after = sample(table);
    if (!table.region(connection).getServerName().equals(primary)) {
      throw new IOException("The region of " + table.name() + " has moved");
    }
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table.name());
    }
    return new ReplicaTurn(
        table.replicas(),
        valueBytes,
        puts / passed,
        micros(after.primaryCpu - before.primaryCpu, load.puts()),
        micros(after.cpu - before.cpu, load.puts()),
        (double) (after.sent - before.sent) / load.puts(),
        (double) (after.sent - before.sent) / (after.logged - before.logged),
        memory.at(0.5),
        lags,
        after.dropped - before.dropped,
        after.refused - before.refused);
  }

  private static double micros(double seconds, long puts) {
    return seconds * TimeUnit.SECONDS.toMicros(1) / puts;
  }

  /** The counters of all servers at one moment; memory and counts as in {@link ReplicaTurn}. */
  private record Sample(
      double primaryCpu,
      double cpu,
      long sent,
      long logged,
      long memory,
      long replicaMemory,
      long dropped,
      long refused) {}

  private Sample sample(ReplicaTable table) throws IOException, InterruptedException {
    double primaryCpu = 0;
    double cpu = 0;
    long sent = 0;
    long logged = 0;
    long memory = 0;
    long replicaMemory = 0;
    long dropped = 0;
    long refused = 0;
    for (Server server : servers) {
      MetricsPage page = MetricsPage.of(server.name().getHostname(), server.infoPort());
      double used = ProcessFigures.of(server.pid()).cpuSeconds();
      long held =
          page.sum("Namespace_default_table_" + table.name() + "_region_\\w+_metric_memStoreSize");
      cpu += used;
      if (server.name().equals(primary)) {
        primaryCpu = used;
        sent = page.sum("source\\.shippedBytes");
        logged = page.sum("writtenBytes");
        dropped = page.sum("source\\.droppedEdits");
        memory = held;
      } else {
        replicaMemory += held;
        refused += page.sum("sink\\.failedBatches");
      }
    }
    return new Sample(primaryCpu, cpu, sent, logged, memory, replicaMemory, dropped, refused);
  }

  /** Runs turns, the tables in rotation, so that all share the machine's state. */
  List<ReplicaTurn> run(
      List<ReplicaTable> tables,
      int valueBytes,
      int turns,
      double warmUpSeconds,
      double seconds,
      Consumer<ReplicaTurn> each)
      throws IOException, InterruptedException {
    for (ReplicaTable table : tables) {
      turn(table, valueBytes, warmUpSeconds);
    }
    List<ReplicaTurn> all = new ArrayList<>();
    for (int i = 0; i < turns; i++) {
      for (ReplicaTable table : tables) {
        ReplicaTurn turn = turn(table, valueBytes, seconds);
        all.add(turn);
        each.accept(turn);
      }
    }
    return all;
  }
}
