package dev.cairn.bench.memory;

import dev.cairn.bench.compare.CairnSide;
import dev.cairn.bench.compare.ServerProcess;
import dev.cairn.bench.compare.ServerSettings;
import dev.cairn.bench.folder.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn bench memory}: tests whether a server with little memory survives its clients. */
@Command(
    name = "memory",
    description = {
      "Runs clients that demand more memory than the server has, with ordinary clients beside them.",
      "Prints the result of each trial, the latencies of the ordinary clients, and whether the server survives and releases the memory. Exit status 1 if it does not."
    })
public final class MemoryCommand implements Callable<Integer> {
  @Option(
      names = "--heap",
      split = ",",
      paramLabel = "SIZE",
      defaultValue = "256m,512m,1000m",
      description = "Heap sizes of the server, one run each (default: ${DEFAULT-VALUE}).")
  private List<String> heaps;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "10",
      description = "Duration of each run, may be a fraction (default: ${DEFAULT-VALUE}).")
  private double minutes;

  @Option(
      names = "--trials",
      split = ",",
      paramLabel = "NAME",
      description = "Trials to run: ${COMPLETION-CANDIDATES} (default: all).")
  private List<Trial> trials = Arrays.asList(Trial.values());

  @Option(
      names = "--cells",
      paramLabel = "N",
      defaultValue = "2000000",
      description = "Cells of the wide row (default: ${DEFAULT-VALUE}).")
  private int wideCells;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = "${sys:java.io.tmpdir}",
      description = "Parent of the servers' temporary folders (default: ${DEFAULT-VALUE}).")
  private Path directory;

  @Option(names = "--keep", description = "Keep the folders, with the servers' logs.")
  private boolean keep;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean good = true;
    for (String heap : heaps) {
      good &= isGood(heap);
    }
    return good ? 0 : 1;
  }

  private boolean isGood(String heap) throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Path folder = Files.createTempDirectory(directory, "cairn-bench-memory");
    boolean lived = false;
    Path home = Path.of(System.getProperty("cairn.home"));
    try (ServerProcess server =
        new CairnSide("cairn", home).start(folder, new ServerSettings(heap, true, Map.of()))) {
      out.printf("heap %s, %.1f minutes%n", heap, minutes);
      out.flush();
      lived = new TrialRun(server, trials, out).run(Math.round(minutes * 60), wideCells);
      return lived;
    } finally {
      if (lived && !keep) {
        Folders.delete(folder);
      } else {
        out.printf("  kept: %s%n", folder);
        out.flush();
      }
    }
  }
}
