package dev.cairn.bench.regions;

import dev.cairn.bench.cluster.LocalOptions;
import dev.cairn.bench.cluster.LocalProcesses;
import dev.cairn.bench.folder.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn bench regions}: measures a cluster with many regions. */
@Command(
    name = "regions",
    description = {
      "Measures a cluster with many regions.",
      "Starts a cluster on this machine whose servers share a local folder, creates a table with"
          + " many empty regions, kills a region server, and stops and starts the whole cluster."
          + " HBASE_HEAPSIZE sets the largest heap of each server.",
      "Exit status 1 if a step takes too long, or a row is lost."
    })
public final class RegionsCommand implements Callable<Integer> {
  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Regions of the table (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "3",
      description = "Region servers, at least 2 (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "15",
      description = "The limit of each step (default: ${DEFAULT-VALUE}).")
  private int limitMinutes;

  @Mixin private final LocalOptions cluster = new LocalOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Path folder = cluster.folder("regions");
    out.printf(
        "%d regions, %d region servers, heaps of %s%n%n",
        regions,
        servers,
        Optional.ofNullable(System.getenv("HBASE_HEAPSIZE")).orElse("1000m (the default)"));
    try (LocalProcesses processes = cluster.start(folder, servers, Map.of())) {
      new RegionsRun(processes, regions, limitMinutes, out).run();
    }
    Folders.delete(folder);
    return 0;
  }
}
