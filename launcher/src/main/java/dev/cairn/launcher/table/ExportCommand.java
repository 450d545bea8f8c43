package dev.cairn.launcher.table;

import dev.cairn.keys.KeyDisplay;
import dev.cairn.keys.KeyFormat;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.bulk.ExportJob;
import dev.cairn.tools.bulk.Meter;
import dev.cairn.tools.bulk.TableSource;
import dev.cairn.tools.bulk.format.HFileFormat;
import dev.cairn.tools.bulk.format.JsonFormat;
import dev.cairn.tools.bulk.format.RowFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.io.compress.DefaultCodec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn export}. */
@Command(
    name = "export",
    description = {
      "Writes a table into files of a folder, several regions at a time.",
      "After a stop, the same command continues: it keeps finished files."
    },
    mixinStandardHelpOptions = true)
public final class ExportCommand implements Callable<Integer> {
  private static final int MEGABYTE = 1 << 20;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;
  @Mixin private BulkOptions options;
  @Mixin private CellOptions.OfTable selection;
  @Mixin private FormatOptions format;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(
      index = "1",
      paramLabel = "TARGET",
      description = "A new folder: a local path or the URL of a Hadoop file system.")
  private String target;

  @Option(
      names = "--compress",
      paramLabel = "HOW",
      defaultValue = "none",
      description =
          "none; record or block for sequence files; gzip for json and tsv (default:"
              + " ${DEFAULT-VALUE}).")
  private FormatOptions.Compression compression;

  @Option(
      names = "--codec",
      paramLabel = "CLASS",
      description =
          "The codec for record and block, a class of Hadoop (default: ${DEFAULT-VALUE}).")
  private String codec = DefaultCodec.class.getName();

  @Option(
      names = "--file-size",
      paramLabel = "MB",
      defaultValue = "256",
      description =
          "A region has a further file after this many megabytes of cells (default:"
              + " ${DEFAULT-VALUE}).")
  private int fileMegabytes;

  @Option(
      names = "--keys",
      description =
          "With --format json: add the parts of each row key as \"key\", by the table's"
              + " KEY_FORMAT. Keys that it has not written have none.")
  private boolean keys;

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    if (fileMegabytes < 1) {
      throw new LauncherException("--file-size must be at least 1, not " + fileMegabytes);
    }
    if (keys) {
      format.requireJson("--keys");
    }
    Optional<RowFormat> rows = format.forWriting(compression, codec);
    Path folder = BulkOptions.path(target);
    ExportJob.Exported done;
    String summary;
    try (Connection connection = options.connect(cairn);
        Meter meter = BulkOptions.meter(cairn);
        BulkOptions.Interruption interruption = new BulkOptions.Interruption()) {
      TableSource source = BulkOptions.table(connection, table);
      done =
          new ExportJob(
                  source,
                  selection.selection(),
                  rows.isPresent() ? withKeys(rows.get(), source) : storeFiles(source),
                  options.fileSystem(cairn, folder),
                  folder,
                  (long) fileMegabytes * MEGABYTE,
                  options.threads(),
                  meter)
              .run();
      summary = meter.summary();
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("Exported " + summary + " from table " + table + " to " + target + ".");
    if (done.resumed()) {
      out.printf(
          "With the earlier run: %s in %s.%n",
          Descriptions.count(done.rows(), "row"), Descriptions.count(done.files(), "file"));
    }
    out.flush();
    return 0;
  }

  private RowFormat withKeys(RowFormat rows, TableSource table) throws IOException {
    return keys && rows instanceof JsonFormat json ? json.with(display(table)) : rows;
  }

  private KeyDisplay display(TableSource table) throws IOException {
    table.require();
    String declared;
    try (Admin admin = table.connection().getAdmin()) {
      declared = admin.getDescriptor(table.name()).getValue(KeyFormat.TABLE_ATTRIBUTE);
    }
    if (declared == null) {
      throw new LauncherException(
          "--keys: table " + table.name() + " has no " + KeyFormat.TABLE_ATTRIBUTE);
    }
    KeyDisplay display = KeyDisplay.of(Optional.of(declared));
    PrintWriter err = spec.commandLine().getErr();
    display.problem().ifPresent(problem -> err.println("cairn: " + table.name() + ": " + problem));
    err.flush();
    return display;
  }

  private static RowFormat storeFiles(TableSource table) throws IOException {
    table.require();
    try (Admin admin = table.connection().getAdmin()) {
      return HFileFormat.of(admin.getDescriptor(table.name()));
    }
  }
}
