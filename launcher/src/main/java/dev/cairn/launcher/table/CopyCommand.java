package dev.cairn.launcher.table;

import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.bulk.CopyJob;
import dev.cairn.tools.bulk.Meter;
import java.io.IOException;
import java.io.PrintWriter;
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

/** {@code cairn copy}. */
@Command(
    name = "copy",
    description = {
      "Copies the rows of a table into another, several regions at a time, with their timestamps.",
      "If it is stopped, the same command in the same folder goes on."
    },
    mixinStandardHelpOptions = true)
public final class CopyCommand implements Callable<Integer> {
  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;
  @Mixin private BulkOptions options;
  @Mixin private BulkOptions.Progress journal;
  @Mixin private CellOptions.OfTable selection;
  @Mixin private RenameOptions renames;

  @Parameters(index = "0", paramLabel = "SOURCE", description = "The table to read.")
  private String source;

  @Parameters(index = "1", paramLabel = "TARGET", description = "The table to write, which exists.")
  private String target;

  @Option(
      names = "--to-cluster",
      paramLabel = "QUORUM",
      description = "The cluster of TARGET, such as HOST:2181 or HOST,HOST:2181:/hbase.")
  private Optional<String> cluster;

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    if (cluster.isEmpty() && source.equals(target)) {
      throw new LauncherException("SOURCE and TARGET are the same table");
    }
    CopyJob.Copied done;
    String summary;
    try (Connection from = options.connect(cairn);
        Connection to =
            cluster.isPresent() ? options.connect(cairn, cluster.get()) : options.connect(cairn);
        Meter meter = BulkOptions.meter(cairn);
        BulkOptions.Interruption interruption = new BulkOptions.Interruption()) {
      done =
          new CopyJob(
                  BulkOptions.table(from, source),
                  BulkOptions.table(to, target),
                  cluster.orElse(""),
                  selection.selection(),
                  renames.renames(),
                  journal.place(cairn, options),
                  options.threads(),
                  meter)
              .run();
      summary = meter.summary();
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("Copied " + summary + " from table " + source + " to table " + target + ".");
    if (done.resumed()) {
      out.println("With the earlier run: " + Descriptions.count(done.rows(), "row") + ".");
    }
    out.flush();
    return 0;
  }
}
