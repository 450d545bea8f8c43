package dev.cairn.launcher.table;

import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.bulk.ImportJob;
import dev.cairn.tools.bulk.Meter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn import}. */
@Command(
    name = "import",
    description = {
      "Writes the rows of files into a table, several files at a time. Timestamps and markers are"
          + " those of the files.",
      "If it is stopped, the same command in the same folder goes on after the finished files."
    },
    mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {
  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;
  @Mixin private BulkOptions options;
  @Mixin private BulkOptions.Progress journal;
  @Mixin private CellOptions.OfFiles selection;
  @Mixin private FormatOptions format;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table, which exists.")
  private String table;

  @Parameters(
      index = "1",
      paramLabel = "SOURCE",
      description = "A file or a folder: a local path or the URL of a Hadoop file system.")
  private String source;

  @Option(
      names = "--skip-empty",
      description = "An empty field of TSV is no cell (default: a cell with an empty value).")
  private boolean skipsEmpty;

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    format.forReading(skipsEmpty, 0); // refuses wrong options
    Path path = BulkOptions.path(source);
    ImportJob.Imported done;
    String summary;
    try (Connection connection = options.connect(cairn);
        Meter meter = BulkOptions.meter(cairn);
        BulkOptions.Interruption interruption = new BulkOptions.Interruption()) {
      done =
          new ImportJob(
                  BulkOptions.table(connection, table),
                  timestamp -> format.forReading(skipsEmpty, timestamp),
                  options.fileSystem(cairn, path),
                  path,
                  selection.selection(),
                  journal.place(cairn, options),
                  options.threads(),
                  meter)
              .run();
      summary = meter.summary();
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "Imported %s of %s into table %s.%n",
        summary, Descriptions.count(done.files(), "file"), table);
    if (done.earlier() > 0) {
      out.println("An earlier run imported " + Descriptions.count(done.earlier(), "file") + ".");
    }
    out.flush();
    return 0;
  }
}
