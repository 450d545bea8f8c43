package dev.cairn.bench.scale;

import dev.cairn.bench.cluster.ClusterProcesses;
import dev.cairn.bench.cluster.GivenProcesses;
import dev.cairn.bench.cluster.LocalOptions;
import dev.cairn.bench.cluster.LocalProcesses;
import dev.cairn.bench.cluster.Percentiles;
import dev.cairn.bench.folder.Folders;
import dev.cairn.bench.load.LoadPlan;
import dev.cairn.bench.load.Workload.Kind;
import dev.cairn.bench.scale.ScaleRun.Turn;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn bench scale}: measures how throughput depends on the number of region servers. */
@Command(
    name = "scale",
    description = {
      "Measures how throughput depends on the number of region servers: operations per second of"
          + " processor time of all region servers. So servers need no processors of their own, and"
          + " the client's processor time does not count.",
      "Starts a cluster on this machine for each number of servers; its servers share a local"
          + " folder. Or measures a running cluster (--config with --process), which may be Apache"
          + " HBase."
    })
public final class ScaleCommand implements Callable<Integer> {
  private static final long CELL_BYTES_MAX = 1 << 20; // no workload here has such cells

  @Option(
      names = "--servers",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,2,4",
      description = "Numbers of region servers (default: ${DEFAULT-VALUE}).")
  private List<Integer> servers;

  @Option(
      names = "--workloads",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "LOAD,A,B,C",
      description = "Workloads of bench compare (default: ${DEFAULT-VALUE}).")
  private List<Kind> workloads;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Rows of 10 cells of 100 bytes (default: ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "32",
      description = "Regions of the table (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "8",
      description = "Threads of the client for each region server (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "200000",
      description =
          "Warm-up operations of each workload per server, so that the JIT compilers of all servers"
              + " have finished before the first turn (default: ${DEFAULT-VALUE}).")
  private long warmUp;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Duration of a turn (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "5",
      description = "Turns of each workload; the median counts (default: ${DEFAULT-VALUE}).")
  private int turns;

  @Mixin private final LocalOptions cluster = new LocalOptions();

  @Option(
      names = "--config",
      paramLabel = "DIR",
      description = "The folder with the hbase-site.xml of a running cluster.")
  private Optional<Path> configuration;

  @Option(
      names = "--process",
      paramLabel = "PORT=PID",
      split = ",",
      description = "With --config: the process of each region server.")
  private Map<Integer, Long> pids = Map.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (configuration.isPresent() == pids.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--config and --process belong together: give both or none");
    }
    Path folder = cluster.folder("scale");
    List<Turn> all = new ArrayList<>();
    if (configuration.isPresent()) {
      all.addAll(run(new GivenProcesses(configuration.get(), pids), pids.size(), folder));
    } else {
      for (int count : servers) {
        Path own = Files.createDirectories(folder.resolve(Integer.toString(count)));
        try (LocalProcesses processes = cluster.start(own, count, Map.of())) {
          all.addAll(run(processes, count, folder));
        }
      }
    }
    print(all);
    Folders.delete(folder);
    return 0;
  }

  private List<Turn> run(ClusterProcesses processes, int count, Path folder) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    return new ScaleRun(
            processes,
            new LoadPlan(records, 10, 100, regions, threads * count, CELL_BYTES_MAX),
            "512m",
            warmUp,
            seconds,
            turns)
        .run(
            workloads,
            folder.resolve("client-output"),
            turn -> {
              out.printf(
                  Locale.ROOT,
                  "%-4s %d servers: %6.0f op per CPU second, %6.0f op/s, cores %s, load %.0f%n",
                  turn.kind(),
                  turn.servers(),
                  turn.perCpuSecond(),
                  turn.perSecond(),
                  turn.cores().stream().map("%.2f"::formatted).collect(Collectors.joining(" ")),
                  ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
              out.flush();
            });
  }

  private void print(List<Turn> all) {
    PrintWriter out = spec.commandLine().getOut();
    List<Integer> counts = all.stream().map(Turn::servers).distinct().toList();
    out.println();
    out.println(
        "| operations per CPU second of the region servers |"
            + counts.stream().map(" %d |"::formatted).collect(Collectors.joining()));
    out.println("| --- |" + " --- |".repeat(counts.size()));
    for (Kind kind : workloads) {
      double one = median(all, kind, counts.get(0));
      out.printf(
          Locale.ROOT,
          "| %s |%s%n",
          kind,
          counts.stream()
              .map(count -> median(all, kind, count))
              .map(value -> String.format(Locale.ROOT, " %.0f (%.2f) |", value, value / one))
              .collect(Collectors.joining()));
    }
    out.flush();
  }

  private static double median(List<Turn> all, Kind kind, int servers) {
    Percentiles values = new Percentiles();
    all.stream()
        .filter(turn -> turn.kind() == kind && turn.servers() == servers)
        .forEach(turn -> values.add(turn.perCpuSecond()));
    return values.at(0.5);
  }
}
