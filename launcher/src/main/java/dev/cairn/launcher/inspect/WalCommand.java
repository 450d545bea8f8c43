package dev.cairn.launcher.inspect;

import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.inspect.WalFilter;
import dev.cairn.tools.inspect.WalJson;
import dev.cairn.tools.inspect.WalListing;
import dev.cairn.tools.inspect.WalPrinter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn wal}: prints log files, with the options of Apache's tool. */
@Command(
    name = "wal",
    description = {
      "Prints log files of Cairn and of HBase, as HBase's own tool does.",
      "A torn end, as a crash leaves it, is reported on standard error; damage ends with"
          + " status 1."
    },
    mixinStandardHelpOptions = true)
public final class WalCommand implements Callable<Integer> {
  private static final int BUFFER_SIZE = 64 << 10;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Log files: local paths, file: or hdfs: URLs.")
  private List<String> files;

  @Option(
      names = {"-f", "--rowPrefix"},
      paramLabel = "PREFIX",
      description = "Cells of rows that begin so, in their printed form.")
  private Optional<String> rowPrefix;

  @Option(
      names = {"-g", "--goto"},
      paramLabel = "OFFSET",
      defaultValue = "0",
      description = "Pass over entries that begin before this place in the file, bytes.")
  private long from;

  @Option(
      names = {"-j", "--json"},
      description = "Print one JSON array.")
  private boolean json;

  @Option(
      names = {"-k", "--outputOnlyRowKey"},
      description = "Print rows only.")
  private boolean rowsOnly;

  @Option(
      names = {"-p", "--printvals"},
      description = "Print values.")
  private boolean values;

  @Option(
      names = {"-r", "--region"},
      paramLabel = "NAME",
      description = "Entries of this region, by its encoded name.")
  private Optional<String> region;

  @Option(
      names = {"-s", "--sequence"},
      paramLabel = "NUMBER",
      description = "Entries with this sequence number.")
  private Optional<Long> sequence;

  @Option(
      names = {"-t", "--tables"},
      paramLabel = "NAME",
      split = ",",
      description = "Entries of these tables.")
  private Set<String> tables = Set.of();

  @Option(
      names = {"-w", "--row"},
      paramLabel = "ROW",
      description = "Cells of this row, in its printed form.")
  private Optional<String> row;

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    WalFilter filter =
        new WalFilter(
            Set.copyOf(tables),
            region,
            sequence.map(OptionalLong::of).orElse(OptionalLong.empty()),
            row,
            rowPrefix,
            from);
    PrintWriter out = new PrintWriter(new BufferedWriter(spec.commandLine().getOut(), BUFFER_SIZE));
    WalListing listing = new WalListing(cairn.installation().configFolder(), out, this::warn);
    if (json) {
      listing.print(files, new WalJson(filter, values, rowsOnly, out));
    } else {
      listing.print(files, new WalPrinter(filter, values, rowsOnly, out));
    }
    return 0;
  }

  private void warn(String message) {
    spec.commandLine().getErr().println(Failures.ERROR_PREFIX + message);
  }
}
