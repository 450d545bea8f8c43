package dev.cairn.bench.failover;

import dev.cairn.bench.cluster.ClusterOptions;
import dev.cairn.bench.cluster.ClusterProcesses;
import dev.cairn.bench.folder.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn bench failover}: measures how long writers and readers wait after a fault. */
@Command(
    name = "failover",
    description = {
      "Measures how long writers and readers wait when a server of a cluster is killed or frozen.",
      "Starts a cluster on this machine, or uses a running one (--config and --process), which may"
          + " be one of Apache HBase. Each region has a writer on Apache's client; one reader reads"
          + " the rows that were written last. When a frozen server resumes, it gets reads from a"
          + " client that does not know that the regions have moved. Afterwards, each acknowledged"
          + " row is read.",
      "Exit status 1 if an acknowledged row is missing, or if a read did not find it."
    })
public final class FailoverCommand implements Callable<Integer> {
  @Option(
      names = "--faults",
      paramLabel = "FAULT",
      split = ",",
      defaultValue = "server,meta,frozen,master",
      description =
          "The events, in this order: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<Fault> faults;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "20",
      description = "Regions of the table, each with a writer (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Copies of each region, itself counted; with more than one, a reader also reads from"
              + " replicas (default: ${DEFAULT-VALUE}).")
  private int replicas;

  @Option(
      names = "--megabytes",
      paramLabel = "N",
      defaultValue = "60",
      description = "Written before each fault and not flushed (default: ${DEFAULT-VALUE}).")
  private int megabytes;

  @Option(
      names = "--frozen",
      paramLabel = "SECONDS",
      defaultValue = "25",
      description = "Duration of a freeze (default: ${DEFAULT-VALUE}).")
  private int frozenSeconds;

  @Option(
      names = "--masters",
      paramLabel = "N",
      defaultValue = "2",
      description = "Masters of the cluster that is started (default: ${DEFAULT-VALUE}).")
  private int masters;

  @Option(
      names = "--session",
      paramLabel = "MILLIS",
      defaultValue = "10000",
      description =
          "zookeeper.session.timeout of the cluster that is started (default: ${DEFAULT-VALUE}).")
  private int sessionMillis;

  @Option(
      names = "--steps",
      description =
          "Prints the steps of the recovery from the logs of the started cluster's servers, with the"
              + " milliseconds since the fault.")
  private boolean steps;

  @Option(
      names = "--process",
      paramLabel = "PORT=PID",
      split = ",",
      description = "The processes of the running cluster that may be killed.")
  private Map<Integer, Long> pids = Map.of();

  @Mixin private final ClusterOptions cluster = new ClusterOptions(2);
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (cluster.isGiven() == pids.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--config and --process belong together: give both or none");
    }
    List<FaultRun.Result> results = new ArrayList<>();
    Path folder = cluster.folder("failover");
    Map<String, String> session =
        Map.of("zookeeper.session.timeout", Integer.toString(sessionMillis));
    try (ClusterProcesses processes = cluster.open(folder, masters, session, pids)) {
      for (int i = 0; i < faults.size(); i++) {
        results.add(run(faults.get(i), processes, "failover" + i));
        if (i + 1 < faults.size()) {
          processes.restart();
        }
      }
    } finally {
      if (!results.isEmpty()) {
        print(results);
      }
    }
    if (results.stream().allMatch(result -> result.lost().isEmpty() && result.stale().isEmpty())) {
      Folders.delete(folder);
      return 0;
    }
    spec.commandLine().getErr().println("kept, with the servers' logs: " + folder);
    return 1;
  }

  private FaultRun.Result run(Fault fault, ClusterProcesses processes, String name)
      throws IOException, InterruptedException {
    try (Connection connection = ConnectionFactory.createConnection(settings(processes))) {
      FailoverTable table = FailoverTable.create(connection, name, regions, replicas);
      table.fill(megabytes);
      FaultRun.Result result =
          new FaultRun(connection, processes, table).run(fault, Duration.ofSeconds(frozenSeconds));
      result.lost().forEach(row -> spec.commandLine().getErr().println("lost: " + row));
      result.stale().forEach(row -> spec.commandLine().getErr().println("not found: " + row));
      if (steps) {
        printSteps(result, processes);
      }
      table.drop();
      return result;
    }
  }

  private void printSteps(FaultRun.Result result, ClusterProcesses processes) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%n%s: a writer waited for %d ms%n", result.fault().text(), result.pauseMillis());
    RecoverySteps.read(processes.logs(), result.start(), result.pauseMillis())
        .forEach(out::println);
    out.flush();
  }

  /** The settings of a client that retries soon, and long enough for a recovery. */
  private static Configuration settings(ClusterProcesses processes) {
    Configuration settings = ClusterOptions.client(processes);
    settings.setInt("hbase.client.pause", 50);
    settings.setInt("hbase.client.retries.number", 300);
    settings.setInt("hbase.rpc.timeout", 2000);
    settings.setInt("hbase.client.operation.timeout", 240_000);
    return settings;
  }

  private void print(List<FaultRun.Result> results) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%n%d regions, %d MB not flushed, %d replicas%n%n", regions, megabytes, replicas);
    out.println(
        "| fault | longest pause of a writer, s | longest read, s | another master answered after, s"
            + " | acknowledged | lost | reads at the return | stale reads | reads of replicas,"
            + " by replicas, failed, longest, s |");
    out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (FaultRun.Result result : results) {
      out.printf(
          "| %s | %.2f | %.2f | %s | %d | %d | %s | %d | %s |%n",
          result.fault().text(),
          result.pauseMillis() / 1000.0,
          result.readMillis() / 1000.0,
          result.masterMillis().map(millis -> "%.1f".formatted(millis / 1000.0)).orElse(""),
          result.acknowledged(),
          result.lost().size(),
          result.fault().freezes() ? Integer.toString(result.asked()) : "",
          result.stale().size(),
          result.replicaReads().map(FailoverCommand::text).orElse(""));
    }
    out.flush();
  }

  private static String text(ReplicaReader.Reads reads) {
    return "%d, %d, %d, %.2f"
        .formatted(reads.answered(), reads.stale(), reads.failed(), reads.longestMillis() / 1000.0);
  }
}
