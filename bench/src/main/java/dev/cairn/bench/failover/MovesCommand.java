package dev.cairn.bench.failover;

import dev.cairn.bench.cluster.ClusterOptions;
import dev.cairn.bench.cluster.ClusterProcesses;
import dev.cairn.bench.cluster.Percentiles;
import dev.cairn.bench.folder.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn bench moves}: measures how long clients of a region wait while it moves. */
@Command(
    name = "moves",
    description = {
      "Measures how long a writer and a reader of a region wait while the region moves.",
      "Starts a cluster on this machine, or uses a running one (--config), which may be one of"
          + " Apache HBase. Moves one region after the other to the next server, while clients read"
          + " and write rows of all regions. The client is Apache's, with its default settings.",
      "Exit status 1 if a call failed."
    })
public final class MovesCommand implements Callable<Integer> {
  @Option(
      names = "--moves",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Moves, one after the other (default: ${DEFAULT-VALUE}).")
  private int moves;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "12",
      description = "Regions of the table (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--megabytes",
      paramLabel = "N",
      defaultValue = "120",
      description = "Size of the table, in files (default: ${DEFAULT-VALUE}).")
  private int megabytes;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Threads that read and write rows of all regions meanwhile (default: ${DEFAULT-VALUE}).")
  private int clients;

  @Mixin private final ClusterOptions cluster = new ClusterOptions(3);
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = cluster.folder("moves");
    MoveRun.Result result;
    try (ClusterProcesses processes = cluster.open(folder, 1, Map.of(), Map.of())) {
      result =
          new MoveRun(ClusterOptions.client(processes), regions, megabytes, clients).run(moves);
    }
    print(result);
    result.failures().forEach(spec.commandLine().getErr()::println);
    Folders.delete(folder);
    return result.failures().isEmpty() ? 0 : 1;
  }

  private void print(MoveRun.Result result) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%n%d moves of %d regions with %d MB; %d client threads, %.0f calls a second%n%n",
        moves, regions, megabytes, clients, result.callsPerSecond());
    out.println("| milliseconds | median | 90 % | 99 % | longest |");
    out.println("| --- | --- | --- | --- | --- |");
    print(out, "longest write of a move", result.writes());
    print(out, "longest read of a move", result.reads());
    print(out, "the move, as the administrator sees it", result.moves());
    print(out, "longest write of such a time without a move", result.quietWrites());
    print(out, "longest read of such a time without a move", result.quietReads());
    result
        .misses()
        .ifPresent(misses -> out.printf("%nblocks that reads missed: %.1f a move%n", misses));
    out.flush();
  }

  private static void print(PrintWriter out, String what, Percentiles times) {
    out.printf(
        "| %s | %.0f | %.0f | %.0f | %.0f |%n",
        what, times.at(0.5), times.at(0.9), times.at(0.99), times.at(1));
  }
}
