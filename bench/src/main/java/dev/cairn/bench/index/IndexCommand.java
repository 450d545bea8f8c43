package dev.cairn.bench.index;

import dev.cairn.bench.compare.CairnSide;
import dev.cairn.bench.compare.ServerProcess;
import dev.cairn.bench.compare.ServerSettings;
import dev.cairn.bench.folder.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn bench index}: measures secondary indexes. */
@Command(
    name = "index",
    description = {
      "Measures secondary indexes, on a server that it starts on this machine, through HBase's"
          + " client.",
      "cost: the server's processor time of single puts into tables with no index, one and two."
          + " gain: queries that select 0.01 %%, 1 %% and 50 %% of the rows, with and without the"
          + " index. fan-out: a selective query over tables of 10, 100 and 1,000 regions."
    })
public final class IndexCommand implements Callable<Integer> {
  /** What can be measured. */
  enum Part {
    COST,
    GAIN,
    FAN_OUT
  }

  /** A region that is divided while it is measured would answer in another way. */
  private static final Map<String, String> SETTINGS = Map.of("cairn.loadsplit.enabled", "false");

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "PART",
      description = "What is measured: ${COMPLETION-CANDIDATES} (default: all).")
  private List<Part> parts = List.of(Part.values());

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Rows of the tables for queries (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--regions",
      split = ",",
      paramLabel = "N",
      description = "The numbers of regions of FAN_OUT (default: 10,100,1000).")
  private List<Integer> regions = List.of(10, 100, 1000);

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "8",
      description = "The scans of FAN_OUT that run at once (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "12",
      description = "Turns of each table of COST (default: ${DEFAULT-VALUE}).")
  private int turns;

  @Option(
      names = "--query-turns",
      paramLabel = "N",
      defaultValue = "5",
      description = "Turns of each query (default: ${DEFAULT-VALUE}).")
  private int queryTurns;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "1.5",
      description = "Duration of a turn (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--base",
      paramLabel = "HOME",
      description =
          "A clone with another version of Cairn, already built: COST also measures its tables"
              + " without an index, in the same turns.")
  private Optional<Path> base;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "4g",
      description = "Each server's heap (default: ${DEFAULT-VALUE}).")
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
    check();
    Path home = Path.of(System.getProperty("cairn.home"));
    PrintWriter out = spec.commandLine().getOut();
    Path folder = Files.createTempDirectory(directory, "cairn-bench-index");
    List<ServerProcess> others = new ArrayList<>();
    try (ServerProcess server = start("this", home, folder)) {
      if (parts.contains(Part.COST)) {
        if (base.isPresent()) {
          others.add(start("base", base.get().toAbsolutePath(), folder));
        }
        new PutCost(turns, seconds).run(server, others, out);
        others.forEach(ServerProcess::close);
      }
      if (parts.contains(Part.GAIN)) {
        new QueryGain(rows, queryTurns, seconds).run(server, out);
      }
      if (parts.contains(Part.FAN_OUT)) {
        new RegionFanOut(rows, regions, threads, queryTurns, seconds).run(server, out);
      }
    } finally {
      others.forEach(ServerProcess::close);
    }
    Folders.delete(folder);
    return 0;
  }

  private void check() {
    if (rows < 1
        || threads < 1
        || turns < 1
        || queryTurns < 1
        || !(seconds > 0)
        || regions.stream().anyMatch(count -> count < 1)) {
      throw new ParameterException(
          spec.commandLine(),
          "--rows, --regions, --threads, --turns and --query-turns must be at least 1, --seconds"
              + " more than 0");
    }
  }

  private ServerProcess start(String name, Path home, Path folder) throws IOException {
    ServerProcess server =
        new CairnSide(name, home)
            .start(
                Files.createDirectories(folder.resolve(name)),
                new ServerSettings(heap, false, SETTINGS));
    Runtime.getRuntime().addShutdownHook(new Thread(server::close)); // if this is ended before
    return server;
  }
}
