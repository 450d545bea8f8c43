package dev.cairn.bench.isolation;

import dev.cairn.bench.compare.CairnSide;
import dev.cairn.bench.compare.ServerProcess;
import dev.cairn.bench.compare.ServerSettings;
import dev.cairn.bench.folder.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn bench isolation}: tests whether scans delay other calls. */
@Command(
    name = "isolation",
    description = {
      "Measures gets, batches of gets, and puts: alone, and beside scans that keep the server busy.",
      "Does so in turns on two servers: one whose calls share the handlers, and one with separate"
          + " queues (hbase.ipc.server.callqueue.read.ratio and scan.ratio of 0.5)."
    })
public final class IsolationCommand implements Callable<Integer> {
  private static final Map<String, String> SEPARATE =
      Map.of(
          "hbase.ipc.server.callqueue.read.ratio", "0.5",
          "hbase.ipc.server.callqueue.scan.ratio", "0.5");

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Turns of each server (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "15",
      description =
          "Duration of each of the four measurements in a round (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Rows of the table, of 100 bytes each (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--scanners",
      paramLabel = "N",
      defaultValue = "40",
      description = "Scans of the whole table at a time (default: ${DEFAULT-VALUE}).")
  private int scanners;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "1g",
      description = "Heap of each server (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = "${sys:java.io.tmpdir}",
      description = "Parent of the servers' temporary folders (default: ${DEFAULT-VALUE}).")
  private Path directory;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Path folder = Files.createTempDirectory(directory, "cairn-bench-isolation");
    boolean done = false;
    try (ServerProcess shared = start(folder.resolve("shared"), Map.of());
        ServerProcess separate = start(folder.resolve("separate"), SEPARATE);
        IsolationLoad sharedLoad = IsolationLoad.prepare(shared, rows, scanners);
        IsolationLoad separateLoad = IsolationLoad.prepare(separate, rows, scanners)) {
      IsolationReport report = new IsolationReport();
      for (int round = 0; round < rounds; round++) {
        measure("shared", sharedLoad, report);
        measure("separate", separateLoad, report);
        out.printf("round %d of %d is done%n", round + 1, rounds);
        out.flush();
      }
      out.printf(
          "%n%d rounds of %d s, %d rows, %d scans at a time, heap %s%n%n%s",
          rounds, seconds, rows, scanners, heap, report.table());
      out.flush();
      done = true;
    } finally {
      if (done) {
        Folders.delete(folder);
      } else {
        out.printf("kept, with the servers' logs: %s%n", folder);
        out.flush();
      }
    }
    return 0;
  }

  private void measure(String queues, IsolationLoad load, IsolationReport report)
      throws IOException, InterruptedException {
    report.add(queues, load.alone(seconds), load.besideScans(seconds));
  }

  private ServerProcess start(Path folder, Map<String, String> keys) throws IOException {
    Path home = Path.of(System.getProperty("cairn.home"));
    Files.createDirectories(folder);
    return new CairnSide("cairn", home).start(folder, new ServerSettings(heap, true, keys));
  }
}
