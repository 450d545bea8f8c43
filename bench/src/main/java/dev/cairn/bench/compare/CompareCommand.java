package dev.cairn.bench.compare;

import dev.cairn.bench.folder.Folders;
import dev.cairn.bench.report.Machine;
import dev.cairn.bench.report.Measurement;
import dev.cairn.bench.report.ReportFiles;
import dev.cairn.bench.report.Run;
import dev.cairn.bench.report.RunFile;
import dev.cairn.bench.report.Tables;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn bench compare}: the same work on Cairn and on Apache HBase. */
@Command(
    name = "compare",
    description = {
      "Runs the same work on Cairn and on Apache HBase 2.6.4, in turn and repeated.",
      "Each runs in a process of its own on this machine, with the same heap, and is driven by HBase's"
          + " unmodified client. The defaults take about half an hour."
    },
    sortOptions = false)
public final class CompareCommand implements Callable<Integer> {
  @Mixin private CompareOptions options;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Where results are written (default: bench/target/compare).")
  private Path output;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Plan plan = options.plan();
    Path home = home();
    Path results = output == null ? home.resolve("bench/target/compare") : output;
    List<Side> sides = options.sides(home);
    Instant started = Instant.now();
    PrintWriter err = spec.commandLine().getErr();
    Comparison comparison = new Comparison(plan, sides, err);
    String commit = Commit.of(home);
    String title = sides.stream().map(Side::name).collect(Collectors.joining(" beside "));
    comparison.run(
        measured -> write(results, run(title, started, commit, comparison.jvms(), measured)));
    if (options.isTemporary()) {
      Folders.delete(plan.folder());
    }
    PrintWriter out = spec.commandLine().getOut();
    Run run = RunFile.read(results.resolve("results.json"));
    out.print(new Tables(run, run.sides().get(0)).all());
    out.flush();
    err.println("The results, these tables and plots are in " + results);
    err.flush();
    return 0;
  }

  private static Path home() throws IOException {
    String home = System.getProperty("cairn.home");
    if (home == null) {
      throw new IOException("Start this as: bin/cairn bench compare");
    }
    return Path.of(home);
  }

  private Run run(
      String title,
      Instant started,
      String commit,
      Map<String, String> jvms,
      List<Measurement> measured) {
    return new Run(
        title,
        started,
        Machine.local(),
        commit,
        options.described(jvms),
        Comparison.METRICS,
        measured);
  }

  /**
   * Writes the report again after each round, so that results are not lost if a later round fails.
   */
  private static void write(Path folder, Run run) {
    try {
      RunFile.write(run, folder.resolve("results.json"));
      ReportFiles.write(run, new Tables(run, run.sides().get(0)), folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
