package dev.cairn.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cairn bench report}: renders results that were measured before. */
@Command(
    name = "report",
    description = {
      "Prints the tables of results that were measured before.",
      "With --out, writes them to DIR/report.md, and plots beside it."
    })
public final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RESULTS", description = "The file of results: JSON.")
  private Path results;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder to write to; files of the same names are replaced.")
  private Optional<Path> out = Optional.empty();

  @Option(
      names = "--of",
      paramLabel = "SIDE",
      description = "The side that the others are held against (default: the first).")
  private Optional<String> subject = Optional.empty();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Run run = RunFile.read(results);
    if (run.sides().isEmpty()) {
      throw new IOException(results + " holds no measurements");
    }
    Tables tables;
    try {
      tables = new Tables(run, subject.orElseGet(() -> run.sides().get(0)));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (out.isPresent()) {
      ReportFiles.write(run, tables, out.get());
    } else {
      spec.commandLine().getOut().print(tables.all());
      spec.commandLine().getOut().flush();
    }
    return 0;
  }
}
