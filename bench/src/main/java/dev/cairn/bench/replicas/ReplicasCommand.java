package dev.cairn.bench.replicas;

import dev.cairn.bench.cluster.ClusterOptions;
import dev.cairn.bench.cluster.LocalOptions;
import dev.cairn.bench.cluster.LocalProcesses;
import dev.cairn.bench.cluster.Percentiles;
import dev.cairn.bench.folder.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn bench replicas}: measures what region replicas that follow the log cost. */
@Command(
    name = "replicas",
    description = {
      "Measures what region replicas that follow the log cost, under a load of puts.",
      "Starts a cluster on this machine whose servers share a local folder, with one server more"
          + " than the largest number of replicas. Prints for each number of replicas: puts per"
          + " second, processor time for each put, bytes sent per byte logged, memory of the"
          + " replicas divided by that of the region, and the time from an acknowledged put until a"
          + " replica shows it.",
      "Figures are medians of the turns; lags are of all turns together."
    })
public final class ReplicasCommand implements Callable<Integer> {
  @Option(
      names = "--replicas",
      paramLabel = "N",
      split = ",",
      defaultValue = "0,1,2",
      description = "Numbers of replicas, the region not counted (default: ${DEFAULT-VALUE}).")
  private List<Integer> replicas;

  @Option(
      names = "--values",
      paramLabel = "N",
      split = ",",
      defaultValue = "100,1000",
      description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
  private List<Integer> values;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "8",
      description = "Threads that put (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description = "Warm-up of each table and size (default: ${DEFAULT-VALUE}).")
  private double warmUpSeconds;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "Duration of a turn (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "5",
      description = "Turns of each table and size (default: ${DEFAULT-VALUE}).")
  private int turns;

  @Mixin private final LocalOptions cluster = new LocalOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = cluster.folder("replicas");
    List<ReplicaTurn> all = new ArrayList<>();
    try (LocalProcesses processes =
            cluster.start(
                folder,
                Collections.max(replicas) + 1,
                Map.of("hbase.region.replica.replication.enabled", "true"));
        Connection connection =
            ConnectionFactory.createConnection(ClusterOptions.client(processes))) {
      ReplicasRun run = new ReplicasRun(processes, connection, threads);
      List<ReplicaTable> tables = run.createTables(replicas);
      for (int value : values) {
        all.addAll(run.run(tables, value, turns, warmUpSeconds, seconds, this::print));
      }
    }
    print(all);
    Folders.delete(folder);
    return 0;
  }

  private void print(ReplicaTurn turn) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%d B, %d replicas: %6.0f puts/s, %5.1f µs (all servers %5.1f), sent %.0f B (%.2f), memory %.2f,"
            + " lag %.0f/%.0f ms, %d dropped, %d refused, load %.0f%n",
        turn.valueBytes(),
        turn.replicas(),
        turn.putsPerSecond(),
        turn.primaryMicros(),
        turn.allMicros(),
        turn.sentBytes(),
        turn.sentRatio(),
        turn.memoryRatio(),
        turn.lags().at(0.5),
        turn.lags().at(0.99),
        turn.dropped(),
        turn.refused(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    out.flush();
  }

  private void print(List<ReplicaTurn> all) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%n| value, replicas | puts/s | region's server, µs a put | all servers, µs a put |"
            + " bytes sent a put | bytes sent per byte logged | replicas' memory per region's |"
            + " lag, median (ms) | lag, 99 %% (ms) |%n");
    out.println("| --- |" + " --- |".repeat(8));
    for (int value : values) {
      for (int count : replicas) {
        List<ReplicaTurn> turns =
            all.stream()
                .filter(turn -> turn.valueBytes() == value && turn.replicas() == count)
                .toList();
        Percentiles lags = new Percentiles();
        turns.forEach(turn -> lags.addAll(turn.lags()));
        out.printf(
            Locale.ROOT,
            "| %d B, %d | %.0f | %.1f | %.1f | %.0f | %.2f | %.2f | %.0f | %.0f |%n",
            value,
            count,
            median(turns, ReplicaTurn::putsPerSecond),
            median(turns, ReplicaTurn::primaryMicros),
            median(turns, ReplicaTurn::allMicros),
            median(turns, ReplicaTurn::sentBytes),
            median(turns, ReplicaTurn::sentRatio),
            median(turns, ReplicaTurn::memoryRatio),
            lags.at(0.5),
            lags.at(0.99));
      }
    }
    out.flush();
  }

  private static double median(List<ReplicaTurn> turns, ToDoubleFunction<ReplicaTurn> figure) {
    Percentiles values = new Percentiles();
    turns.forEach(turn -> values.add(figure.applyAsDouble(turn)));
    return values.at(0.5);
  }
}
