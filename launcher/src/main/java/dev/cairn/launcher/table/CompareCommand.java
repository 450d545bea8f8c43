package dev.cairn.launcher.table;

import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.bulk.CompareJob;
import dev.cairn.tools.bulk.Meter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn compare}. */
@Command(
    name = "compare",
    description =
        "Compares two tables, several regions at a time, and prints the rows that differ.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:no row differs", "1:rows differ", "2:the tables could not be compared"})
public final class CompareCommand implements Callable<Integer> {
  private static final int DIFFERENT = 1;
  private static final int FAILED = 2;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;
  @Mixin private BulkOptions options;
  @Mixin private CellOptions.OfTable selection;

  @Parameters(index = "0", paramLabel = "A", description = "A table.")
  private String first;

  @Parameters(index = "1", paramLabel = "B", description = "The other table.")
  private String second;

  @Option(
      names = "--to-cluster",
      paramLabel = "QUORUM",
      description = "The cluster of B, such as HOST:2181 or HOST,HOST:2181:/hbase.")
  private Optional<String> cluster;

  @Option(
      names = "--max-differences",
      paramLabel = "N",
      defaultValue = "100",
      description = "End after this many rows that differ (default: ${DEFAULT-VALUE}).")
  private long maxDifferences;

  @Override
  public Integer call() {
    cairn.logErrorsOnly();
    try {
      if (maxDifferences < 1) {
        throw new LauncherException("--max-differences must be at least 1, not " + maxDifferences);
      }
      return compare();
    } catch (IOException | LauncherException e) {
      spec.commandLine().getErr().println(Failures.ERROR_PREFIX + Failures.reason(e));
      return FAILED;
    }
  }

  private int compare() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    CompareJob.Compared found;
    try (Connection from = options.connect(cairn);
        Connection to =
            cluster.isPresent() ? options.connect(cairn, cluster.get()) : options.connect(cairn);
        Meter meter = BulkOptions.meter(cairn)) {
      found =
          new CompareJob(
                  BulkOptions.table(from, first),
                  BulkOptions.table(to, second),
                  selection.selection(),
                  maxDifferences,
                  options.threads(),
                  meter,
                  difference -> print(out, difference))
              .run();
    }
    out.printf(
        Locale.ROOT,
        "%s %,d rows of table %s: %,d only there, %,d only in table %s, %,d with other cells.%n",
        found.complete() ? "Compared" : "Ended at --max-differences, after",
        found.rows(),
        first,
        found.onlyFirst(),
        found.onlySecond(),
        second,
        found.different());
    out.flush();
    return found.isEqual() ? 0 : DIFFERENT;
  }

  private static void print(PrintWriter out, CompareJob.Difference difference) {
    String row = Bytes.toStringBinary(difference.row());
    out.println(
        switch (difference.kind()) {
          case ONLY_FIRST -> "only in A  " + row;
          case ONLY_SECOND -> "only in B  " + row;
          case DIFFERENT -> "differs    " + row + "  from " + difference.cell().orElse("") + " on";
        });
    out.flush();
  }
}
