package dev.cairn.launcher.table;

import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.bulk.CountJob;
import dev.cairn.tools.bulk.Meter;
import dev.cairn.tools.bulk.Selection;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn count}. */
@Command(
    name = "count",
    description =
        "Counts the rows of a table, or adds up a column, in the servers, several regions at a time.",
    mixinStandardHelpOptions = true)
public final class CountCommand implements Callable<Integer> {
  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;
  @Mixin private BulkOptions options;
  @Mixin private CellOptions.OfTable selection;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Option(
      names = "--sum",
      paramLabel = "F:Q",
      description = "Add up this column of counters (8 bytes), and count the rows that have it.")
  private Optional<String> sum;

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    CountJob.Counted counted;
    String summary;
    try (Connection connection = options.connect(cairn);
        Meter meter = BulkOptions.meter(cairn)) {
      Selection selected = selection.selection();
      Optional<Selection.Column> column = sum.map(CountCommand::column);
      counted =
          new CountJob(
                  BulkOptions.table(connection, table),
                  column.map(selected::only).orElse(selected),
                  column,
                  options.threads(),
                  meter)
              .run();
      summary = meter.summary();
    }
    PrintWriter out = spec.commandLine().getOut();
    counted.sum().ifPresent(total -> out.println("Sum of " + sum.get() + ": " + total));
    out.println("Counted " + summary + " of table " + table + ".");
    out.flush();
    return 0;
  }

  private static Selection.Column column(String name) {
    if (name.indexOf(':') < 1) {
      throw new LauncherException("--sum is " + name + ": write FAMILY:QUALIFIER");
    }
    return CellOptions.columns(List.of(name)).get(0);
  }
}
