package dev.cairn.launcher.backup;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.launcher.client.ClientOptions;
import dev.cairn.launcher.folder.LogRoot;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.backup.BackupFolder;
import dev.cairn.tools.backup.BackupManifest;
import dev.cairn.tools.backup.HeldLease;
import dev.cairn.tools.backup.RestoreJob;
import dev.cairn.tools.backup.RestorePlan;
import dev.cairn.tools.inspect.FileLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn backup restore}. */
@Command(
    name = "restore",
    description = {
      "Makes a table as it was at a moment, in the cluster of the settings.",
      "It checks the backups that it needs first, and the table appears when it is whole. If the"
          + " command is stopped, the same command begins anew.",
      "Also takes HBase's form: restore FOLDER ID -t TABLE,TABLE [-m NAME,NAME] [-o] [-c]."
    },
    mixinStandardHelpOptions = true)
final class BackupRestoreCommand implements Callable<Integer> {
  private static final Pattern POSITION = Pattern.compile("([0-9a-f]{32}):([0-9]{1,18})");

  @ParentCommand private BackupCommand backups;
  @Spec private CommandSpec spec;
  @Mixin private ClientOptions options;
  @Mixin private HBaseBackupOptions refused;

  @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder of backups.")
  private String target;

  @Parameters(
      index = "1",
      paramLabel = "TABLE",
      description = "The table in the backups; with -t, the backup up to whose end to restore.")
  private String subject;

  @Option(
      names = "--to",
      paramLabel = "MOMENT",
      description =
          "With all changes up to this moment: "
              + Moments.FORMS
              + "; or REGION:SEQUENCE, as cairn changes prints them, with that change"
              + " (default: all that the backups have).")
  private Optional<String> to = Optional.empty();

  @Option(
      names = "--before",
      paramLabel = "REGION:SEQUENCE",
      description = "With all changes before this one.")
  private Optional<String> before = Optional.empty();

  @Option(names = "--as", paramLabel = "NAME", description = "The name of the restored table.")
  private Optional<String> as = Optional.empty();

  @Option(
      names = "-t",
      paramLabel = "TABLE",
      split = ",",
      description = "The tables, separated by commas.")
  private List<String> listed = List.of();

  @Option(
      names = "-m",
      paramLabel = "NAME",
      split = ",",
      description = "The names of the restored tables, one for each of -t.")
  private List<String> names = List.of();

  @Option(
      names = {"--replace", "-o"},
      description = "Delete the table of that name, once the restored one is ready.")
  private boolean replaces;

  @Option(
      names = {"--check", "-c"},
      description = "Check that the backups have the moment and are whole. Restore nothing.")
  private boolean checks;

  @Option(
      names = "--root",
      paramLabel = "FOLDER",
      description = "The root directory: a path or URL (default: hbase.rootdir).")
  private Optional<String> root = Optional.empty();

  /** A table to restore. */
  private record Item(TableName source, TableName name, RestoreJob.Moment moment) {}

  private void tell(String message) {
    spec.commandLine().getErr().println(Failures.ERROR_PREFIX + message);
  }

  @Override
  public Integer call() throws IOException {
    CommandContext cairn = backups.cairn();
    cairn.logErrorsOnly();
    refused.check();
    PrintWriter out = spec.commandLine().getOut();
    try (FileLocation location = backups.open(target)) {
      BackupFolder folder = BackupCommand.folder(location);
      List<Item> items = listed.isEmpty() ? List.of(single(folder)) : listed(folder);
      if (checks) {
        for (Item item : items) {
          RestorePlan plan = RestoreJob.check(folder, item.source(), item.moment(), this::tell);
          out.printf(
              "Table %s can be restored from the full backup %s and %s.%n",
              item.source(),
              plan.full().id(),
              Descriptions.count(plan.backups().size() - 1, "later backup"));
        }
        out.flush();
        return 0;
      }
      try (LogRoot logs = LogRoot.open(cairn, root, this::tell);
          Connection connection = options.connectWithTags(cairn)) {
        for (Item item : items) {
          RestoreJob.Restored restored = restore(item, folder, logs.storage(), connection);
          out.println(
              "Restored table "
                  + item.name()
                  + " from the full backup "
                  + restored.full()
                  + " and "
                  + Descriptions.count(restored.changes(), "change")
                  + ".");
          out.flush();
        }
      }
      return 0;
    }
  }

  private RestoreJob.Restored restore(
      Item item, BackupFolder folder, Storage root, Connection connection) throws IOException {
    try (HeldLease lease = new HeldLease(RestoreJob.lease(root, item.name(), Clock.SYSTEM))) {
      return new RestoreJob(folder, lease, root, connection, this::tell)
          .run(item.source(), item.name(), item.moment(), replaces);
    }
  }

  private Item single(BackupFolder folder) throws IOException {
    if (!names.isEmpty()) {
      throw new LauncherException("-m goes with -t; without it, write --as NAME");
    }
    if (folder.read().backups().stream().anyMatch(backup -> backup.id().equals(subject))) {
      throw new LauncherException(subject + " is a backup: name its tables with -t");
    }
    return new Item(table(subject), table(as.orElse(subject)), moment(to, before));
  }

  /** Reads HBase's form. */
  private List<Item> listed(BackupFolder folder) throws IOException {
    if (to.isPresent() || before.isPresent() || as.isPresent()) {
      throw new LauncherException(
          "--to, --before and --as go with FOLDER TABLE; with -t, the moment is the end of the"
              + " backup, and -m has the names");
    }
    if (!names.isEmpty() && names.size() != listed.size()) {
      throw new LauncherException(
          "-m has " + names.size() + " names for the " + listed.size() + " tables of -t");
    }
    BackupManifest backup = folder.find(subject);
    RestoreJob.Moment end = new RestoreJob.Moment.EndOf(backup);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < listed.size(); i++) {
      TableName source = table(listed.get(i));
      if (!backup.tables().containsKey(source)) {
        throw new LauncherException(
            "the backup "
                + subject
                + " has the tables "
                + backup.tables().keySet()
                + ", not "
                + source);
      }
      items.add(new Item(source, names.isEmpty() ? source : table(names.get(i)), end));
    }
    return items;
  }

  private static TableName table(String name) {
    return LogRoot.tables(List.of(name)).iterator().next();
  }

  private static RestoreJob.Moment moment(Optional<String> to, Optional<String> before) {
    if (to.isPresent() && before.isPresent()) {
      throw new LauncherException("--to and --before do not go together");
    }
    if (before.isPresent()) {
      Matcher position = POSITION.matcher(before.get());
      if (!position.matches()) {
        throw new LauncherException(
            "--before is <" + before.get() + ">: write REGION:SEQUENCE, as cairn changes prints");
      }
      return change(position, false);
    }
    if (to.isEmpty()) {
      return new RestoreJob.Moment.Newest();
    }
    Matcher position = POSITION.matcher(to.get());
    return position.matches()
        ? change(position, true)
        : new RestoreJob.Moment.Time(Moments.millis("--to", to.get(), System.currentTimeMillis()));
  }

  private static RestoreJob.Moment change(Matcher position, boolean isIncluded) {
    return new RestoreJob.Moment.AtChange(
        position.group(1), Long.parseLong(position.group(2)), isIncluded);
  }
}
