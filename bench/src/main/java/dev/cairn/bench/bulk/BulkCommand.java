package dev.cairn.bench.bulk;

import dev.cairn.bench.compare.ApacheClassPath;
import dev.cairn.bench.compare.ApacheSide;
import dev.cairn.bench.compare.CairnSide;
import dev.cairn.bench.compare.ServerSettings;
import dev.cairn.bench.compare.Side;
import dev.cairn.bench.folder.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn bench bulk}: measures operations on whole tables, on Cairn and on Apache HBase. */
@Command(
    name = "bulk",
    description = {
      "Measures bulk load, row count, export and import of a table, and snapshot and clone of a table"
          + " with many regions, on Cairn and on Apache HBase in turns.",
      "Apache's jobs run on the local runner in a process of their own, as Cairn's commands do. Prints"
          + " each task's time and processor time, of the command and the server, and the medians."
    })
public final class BulkCommand implements Callable<Integer> {
  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Rows, of ten cells of 100 bytes (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description = "Runs of each task (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "200",
      description = "Regions of the table for snapshots (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--pauses",
      paramLabel = "N",
      description =
          "Only measures the longest put during a flush and during a snapshot of a table that is"
              + " written to, N times.")
  private Optional<Integer> pauses;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "2g",
      description = "Heap of each server (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = "${sys:java.io.tmpdir}",
      description = "Parent of the temporary folder (default: ${DEFAULT-VALUE}).")
  private Path directory;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path home = Path.of(System.getProperty("cairn.home"));
    PrintWriter out = spec.commandLine().getOut();
    Path folder = Files.createTempDirectory(directory, "cairn-bench-bulk");
    LoadableFiles files = new LoadableFiles(folder.resolve("files"), rows);
    if (pauses.isEmpty()) {
      files.write();
    }
    ApacheSide apacheSide =
        new ApacheSide(ApacheClassPath.resolve(home.resolve("bench")), List.of());
    try (BulkSide apache = start(apacheSide, home, folder);
        BulkSide cairn = start(new CairnSide("Cairn", home), home, folder)) {
      BulkRun run =
          new BulkRun(
              cairn,
              apache,
              files,
              line -> {
                out.println(line);
                out.flush();
              });
      if (pauses.isPresent()) {
        run.pauses(pauses.get());
      } else {
        measureTasks(run, out);
      }
    }
    Folders.delete(folder);
    return 0;
  }

  private void measureTasks(BulkRun run, PrintWriter out) throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      run.round();
    }
    run.snapshots(regions, Math.max(rounds, 3));
    out.println("\nMedians: task, how, seconds, seconds of processor time");
    run.costs()
        .forEach(
            (task, costs) ->
                out.printf(
                    "%s\t%.2f\t%.2f%n",
                    task,
                    median(costs, BulkSide.Cost::seconds),
                    median(costs, BulkSide.Cost::cpuSeconds)));
    out.flush();
  }

  private BulkSide start(Side side, Path home, Path folder)
      throws IOException, InterruptedException {
    Path own = Files.createDirectories(folder.resolve(side.name()));
    // No major compactions, so that only the tasks are measured.
    Map<String, String> more = Map.of("hbase.hregion.majorcompaction", "0");
    return new BulkSide(
        side.name(),
        CairnSide.program(home),
        own,
        side.start(own, new ServerSettings(heap, false, more)));
  }

  private static double median(List<BulkSide.Cost> costs, ToDoubleFunction<BulkSide.Cost> figure) {
    double[] sorted = costs.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
