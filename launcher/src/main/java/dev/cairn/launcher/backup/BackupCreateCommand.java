package dev.cairn.launcher.backup;

import dev.cairn.engine.changes.ChangeCursor;
import dev.cairn.engine.changes.ChangeReader;
import dev.cairn.engine.changes.ChangeStart;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.launcher.client.ClientOptions;
import dev.cairn.launcher.folder.LogRoot;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.backup.BackupManifest;
import dev.cairn.tools.backup.CreateJob;
import dev.cairn.tools.backup.FolderChange;
import dev.cairn.tools.backup.NewFolder;
import dev.cairn.tools.inspect.FileLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn backup create}. */
@Command(
    name = "create",
    description = {
      "Makes a backup: a full one the first time, and later the changes since the newest backup of"
          + " the same tables in the folder.",
      "Between two backups, the logs are kept. One process at a time changes a folder.",
      "Also takes HBase's form: create full|incremental FOLDER -t TABLE,TABLE. incremental fails if"
          + " the backup would have to be full; full without -t backs up all tables."
    },
    mixinStandardHelpOptions = true)
final class BackupCreateCommand implements Callable<Integer> {
  @ParentCommand private BackupCommand backups;
  @Spec private CommandSpec spec;
  @Mixin private ClientOptions options;
  @Mixin private HBaseBackupOptions refused;

  @Parameters(
      arity = "1..*",
      paramLabel = "FOLDER TABLE",
      hideParamSyntax = true,
      description = "The folder of backups, and the tables.")
  private List<String> words;

  @Option(
      names = {"-t", "--tables"},
      paramLabel = "TABLE",
      split = ",",
      description = "The tables, separated by commas.")
  private List<String> listed = List.of();

  @Option(names = "--full", description = "Make a full backup.")
  private boolean full;

  @Option(
      names = "--hold-size",
      paramLabel = "MB",
      defaultValue = "102400",
      description =
          "Keep archived logs of up to this many megabytes until the next backup (default:"
              + " ${DEFAULT-VALUE}). If they grow larger, the next backup has to be full.")
  private long holdMegabytes;

  @Option(
      names = "--hold-time",
      paramLabel = "TIME",
      defaultValue = "14d",
      description = "Keep them for so long (default: ${DEFAULT-VALUE}).")
  private String holdTime;

  @Option(
      names = "--root",
      paramLabel = "FOLDER",
      description = "The root directory: a path or URL (default: hbase.rootdir).")
  private Optional<String> root = Optional.empty();

  private void tell(String message) {
    spec.commandLine().getErr().println(Failures.ERROR_PREFIX + message);
  }

  @Override
  public Integer call() throws IOException {
    CommandContext cairn = backups.cairn();
    cairn.logErrorsOnly();
    refused.check();
    BackupRequest request = BackupRequest.of(words, listed, full);
    Set<TableName> named = LogRoot.tables(request.tables());
    ChangeCursor.Limits limits =
        new ChangeCursor.Limits(
            Math.max(0, holdMegabytes) << 20, Moments.duration("--hold-time", holdTime).toMillis());
    Path path = ClientOptions.path(request.folder());
    try (LogRoot logs = LogRoot.open(cairn, root, this::tell);
        Connection connection = options.connect(cairn);
        Admin admin = connection.getAdmin();
        NewFolder made = NewFolder.make(options.fileSystem(cairn, path), path)) {
      create(request, named, limits, logs, admin);
      made.keep();
      return 0;
    }
  }

  private void create(
      BackupRequest request,
      Set<TableName> named,
      ChangeCursor.Limits limits,
      LogRoot logs,
      Admin admin)
      throws IOException {
    try (FileLocation location = backups.open(request.folder());
        FolderChange change = new FolderChange(location, "create")) {
      Set<TableName> tables =
          named.isEmpty() ? CreateJob.tables(request.extent(), change.folder(), admin) : named;
      print(
          new CreateJob(
                  new Cluster(logs, admin),
                  change.folder(),
                  tables,
                  limits,
                  Clock.SYSTEM,
                  this::tell)
              .run(request.extent()));
    }
  }

  private void print(BackupManifest made) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        (made.isFull() ? "Full backup " : "Backup ")
            + made.id()
            + ": "
            + Descriptions.count(made.files().size(), "file")
            + " of "
            + Descriptions.count(made.bytes(), "byte")
            + ", "
            + Descriptions.count(made.changes(), "change")
            + ", until "
            + Instant.ofEpochMilli(made.endMillis())
            + ".");
    made.loads()
        .forEach(
            load ->
                tell(
                    "the bulk load of "
                        + load.table()
                        + " at "
                        + Instant.ofEpochMilli(load.millis())
                        + " is in no backup, because its files are gone: make a full one"));
    out.flush();
  }

  /** The cluster of the settings. */
  private record Cluster(LogRoot logs, Admin admin) implements CreateJob.Source {
    @Override
    public Storage root() {
      return logs.storage();
    }

    @Override
    public String name() {
      return logs.name();
    }

    @Override
    public ChangeReader changes(Set<TableName> tables, ChangeStart start) throws IOException {
      return logs.changes(tables, start);
    }
  }
}
