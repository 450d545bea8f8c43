package dev.cairn.bench.balance;

import dev.cairn.bench.cluster.ClusterOptions;
import dev.cairn.bench.cluster.LocalOptions;
import dev.cairn.bench.cluster.LocalProcesses;
import dev.cairn.bench.folder.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn bench balance}: measures how the balancer spreads uneven loads. */
@Command(
    name = "balance",
    description = {
      "Measures how the balancer of a cluster spreads uneven loads.",
      "Starts a cluster on this machine whose servers share a local folder, and runs one load after"
          + " the other. Prints for each window: the processor time of each region server in percent"
          + " of the mean, the balancer's moves, and the latencies of calls.",
      "Exit status 1 if a call failed."
    })
public final class BalanceCommand implements Callable<Integer> {
  @Option(
      names = "--loads",
      paramLabel = "LOAD",
      split = ",",
      defaultValue = "ZIPFIAN,MOVING,SEQUENTIAL",
      description = "Loads: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<LoadPattern> loads;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "240",
      description = "Duration of each load (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "10",
      description = "Seconds of each line of figures (default: ${DEFAULT-VALUE}).")
  private int windowSeconds;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Region servers (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "32",
      description = "Regions of the table (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "16",
      description = "Threads that call (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Mixin private final LocalOptions cluster = new LocalOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Path folder = cluster.folder("balance");
    List<BalanceSummary> summaries = new ArrayList<>();
    try (LocalProcesses processes =
            cluster.start(
                folder, servers, Map.of("hbase.master.balancer.decision.buffer.enabled", "true"));
        Connection connection =
            ConnectionFactory.createConnection(ClusterOptions.client(processes))) {
      BalanceRun run = new BalanceRun(processes, connection, threads);
      run.createTable(regions);
      for (LoadPattern load : loads) {
        List<BalanceWindow> windows =
            run.run(
                load,
                seconds,
                windowSeconds,
                window -> {
                  out.println(window.line(load));
                  out.flush();
                });
        summaries.add(BalanceSummary.of(load, windows));
      }
    }
    out.println();
    out.println(BalanceSummary.HEADER);
    summaries.forEach(summary -> out.println(summary.row()));
    out.flush();
    Folders.delete(folder);
    return 0;
  }
}
