package dev.cairn.bench.scale;

import dev.cairn.bench.cluster.ClusterProcesses;
import dev.cairn.bench.compare.ProcessFigures;
import dev.cairn.bench.load.LoadClient;
import dev.cairn.bench.load.LoadPlan;
import dev.cairn.bench.load.LoadResult;
import dev.cairn.bench.load.Pace;
import dev.cairn.bench.load.Workload;
import dev.cairn.bench.load.Workload.Distribution;
import dev.cairn.bench.load.Workload.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Workloads on one cluster. One thread.
 *
 * @param processes the cluster
 * @param plan what all workloads have in common
 * @param clientHeap the heap of the process that drives the load, as Java's {@code -Xmx} says it
 * @param warmUp the warm-up operations of each workload, for each server; a number of operations,
 *     because the JIT compiler acts after a number of calls, not after a time
 * @param seconds of a turn
 * @param turns of each workload
 */
record ScaleRun(
    ClusterProcesses processes,
    LoadPlan plan,
    String clientHeap,
    long warmUp,
    double seconds,
    int turns) {

  /**
   * The measurements of one turn.
   *
   * @param perCpuSecond operations per second of processor time of all region servers
   * @param cores the processors that each server kept busy, in the order of their names
   */
  record Turn(Kind kind, int servers, double perCpuSecond, double perSecond, List<Double> cores) {}

  List<Turn> run(List<Kind> kinds, Path log, Consumer<Turn> each) throws IOException {
    Map<ServerName, Long> pids = pids();
    List<Turn> all = new ArrayList<>();
    try (LoadClient client = LoadClient.start(plan, clientHeap, log)) {
      client.connect(processes.configuration().resolve("hbase-site.xml"), true);
      for (Kind kind : kinds) {
        Workload workload = new Workload(kind, Distribution.ZIPFIAN, 0);
        client.prepare(workload);
        long done = 0;
        while (done < warmUp * pids.size()) {
          done += client.run(workload, Pace.closed(seconds)).operations();
          prepareAgain(client, workload);
        }
        for (int turn = 0; turn < turns; turn++) {
          if (turn > 0) {
            prepareAgain(client, workload);
          }
          Turn one = measure(client, workload, pids);
          all.add(one);
          each.accept(one);
        }
      }
    }
    return all;
  }

  /** A workload that counts its rows begins with an empty table. */
  private static void prepareAgain(LoadClient client, Workload workload) throws IOException {
    if (workload.kind().counted()) {
      client.prepare(workload);
    }
  }

  private Turn measure(LoadClient client, Workload workload, Map<ServerName, Long> pids)
      throws IOException {
    List<Double> before = cpuSeconds(pids);
    LoadResult result = client.run(workload, Pace.closed(seconds));
    List<Double> after = cpuSeconds(pids);
    List<Double> cores = new ArrayList<>();
    double cpu = 0;
    for (int i = 0; i < after.size(); i++) {
      double used = after.get(i) - before.get(i);
      cpu += used;
      cores.add(used / result.seconds());
    }
    return new Turn(
        workload.kind(),
        pids.size(),
        result.operations() / cpu,
        result.operationsPerSecond(),
        List.copyOf(cores));
  }

  private Map<ServerName, Long> pids() throws IOException {
    Configuration client = HBaseConfiguration.create();
    client.addResource(
        new org.apache.hadoop.fs.Path(processes.configuration().resolve("hbase-site.xml").toUri()));
    Map<ServerName, Long> pids = new TreeMap<>();
    try (Connection connection = ConnectionFactory.createConnection(client);
        Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        pids.put(server, processes.pid(server.getPort()));
      }
    }
    return pids;
  }

  private static List<Double> cpuSeconds(Map<ServerName, Long> pids) throws IOException {
    List<Double> seconds = new ArrayList<>();
    for (long pid : pids.values()) {
      seconds.add(ProcessFigures.of(pid).cpuSeconds());
    }
    return seconds;
  }
}
