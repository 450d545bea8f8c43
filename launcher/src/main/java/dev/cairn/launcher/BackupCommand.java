package dev.cairn.launcher;

import dev.cairn.engine.changes.ChangeCursor;
import dev.cairn.engine.changes.ChangeReader;
import dev.cairn.engine.changes.ChangeStart;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.launcher.backup.BackupFile;
import dev.cairn.launcher.backup.BackupFolder;
import dev.cairn.launcher.backup.BackupManifest;
import dev.cairn.launcher.backup.CreateJob;
import dev.cairn.launcher.backup.DeleteJob;
import dev.cairn.launcher.backup.MergeJob;
import dev.cairn.launcher.backup.RestoreJob;
import dev.cairn.launcher.backup.RestorePlan;
import dev.cairn.launcher.backup.VerifyJob;
import dev.cairn.launcher.inspect.FileLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn backup}. */
@Command(
    name = "backup",
    description = {
      "Makes backups of tables while they are written, and restores a table as it was at any moment"
          + " between the first and the newest backup.",
      "A full backup has a snapshot with its files; the others have the changes since the one before."
          + " FOLDER is a local path or the URL of a Hadoop file system."
    },
    mixinStandardHelpOptions = true)
final class BackupCommand implements Runnable {
  private static final Pattern POSITION = Pattern.compile("([0-9a-f]{32}):([0-9]{1,18})");

  @ParentCommand private CairnCommand cairn;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing create, list, describe, verify, restore, merge or delete");
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void tell(String message) {
    spec.commandLine().getErr().println(DetachedServer.ERROR_PREFIX + message);
  }

  private FileLocation open(String folder) throws IOException {
    return FileLocation.folder(folder, cairn.installation().configFolder());
  }

  private static BackupFolder folder(FileLocation location) {
    return new BackupFolder(location.storage(), location.name());
  }

  private static void warn(PrintWriter out, BackupFolder.Content content) {
    content
        .damaged()
        .forEach(damaged -> out.println("DAMAGED  " + damaged.id() + ": " + damaged.why()));
  }

  private static void spans(PrintWriter out, List<BackupManifest> backups) {
    Set<TableName> tables = new TreeSet<>();
    backups.forEach(backup -> tables.addAll(backup.tables().keySet()));
    for (TableName table : tables) {
      List<RestorePlan.Span> spans = RestorePlan.spans(backups, table);
      out.println(
          "table "
              + table
              + ": "
              + (spans.isEmpty()
                  ? "cannot be restored"
                  : String.join(", ", spans.stream().map(RestorePlan.Span::toString).toList())));
    }
  }

  @Command(
      name = "create",
      description = {
        "Makes a backup: a full one the first time, and later the changes since the newest backup of"
            + " the same tables in the folder.",
        "Between two backups, the logs are kept. One process at a time changes a folder."
      },
      mixinStandardHelpOptions = true)
  int create(
      @Mixin BulkOptions options,
      @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder of backups.")
          String target,
      @Parameters(index = "1..*", arity = "1..*", paramLabel = "TABLE", description = "The tables.")
          List<String> tables,
      @Option(names = "--full", description = "Make a full backup.") boolean full,
      @Option(
              names = "--hold-size",
              paramLabel = "MB",
              defaultValue = "102400",
              description =
                  "Keep archived logs of up to this many megabytes until the next backup (default:"
                      + " ${DEFAULT-VALUE}). If they grow larger, the next backup has to be full.")
          long holdMegabytes,
      @Option(
              names = "--hold-time",
              paramLabel = "TIME",
              defaultValue = "14d",
              description = "Keep them for so long (default: ${DEFAULT-VALUE}).")
          String holdTime,
      @Option(
              names = "--root",
              paramLabel = "FOLDER",
              description = "The root directory: a path or URL (default: hbase.rootdir).")
          Optional<String> root)
      throws IOException {
    cairn.logErrorsOnly();
    Set<TableName> names = LogRoot.tables(tables);
    ChangeCursor.Limits limits =
        new ChangeCursor.Limits(
            Math.max(0, holdMegabytes) << 20, Moments.duration("--hold-time", holdTime).toMillis());
    Path path = BulkOptions.path(target);
    options.fileSystem(cairn, path).mkdirs(path);
    try (LogRoot logs = LogRoot.open(cairn, root, this::tell);
        FileLocation location = open(target);
        FolderChange change = new FolderChange(location, "create");
        Connection connection = options.connect(cairn);
        Admin admin = connection.getAdmin()) {
      BackupManifest made =
          new CreateJob(
                  new Cluster(logs, admin),
                  change.folder(),
                  names,
                  limits,
                  Clock.SYSTEM,
                  this::tell)
              .run(full);
      out()
          .println(
              (made.isFull() ? "Full backup " : "Backup ")
                  + made.id()
                  + ": "
                  + made.files().size()
                  + " files of "
                  + made.bytes()
                  + " bytes, "
                  + made.changes()
                  + " changes, until "
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
      out().flush();
      return 0;
    }
  }

  @Command(
      name = "list",
      description = "Lists the backups, and the moments to which each table can be restored.",
      mixinStandardHelpOptions = true)
  int list(
      @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder of backups.")
          String target)
      throws IOException {
    cairn.logErrorsOnly();
    try (FileLocation location = open(target)) {
      BackupFolder.Content content = folder(location).read();
      for (BackupManifest backup : content.backups()) {
        out()
            .println(
                backup.id()
                    + "\t"
                    + (backup.isFull() ? "full" : "changes")
                    + "\t"
                    + backup.bytes()
                    + " bytes\tuntil "
                    + Instant.ofEpochMilli(backup.endMillis())
                    + "\t"
                    + backup.tables().keySet());
      }
      warn(out(), content);
      spans(out(), content.backups());
      out().flush();
      return content.damaged().isEmpty() ? 0 : 1;
    }
  }

  @Command(
      name = "describe",
      description = "Prints what a backup is, and its files.",
      mixinStandardHelpOptions = true)
  int describe(
      @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder of backups.")
          String target,
      @Parameters(index = "1", paramLabel = "ID", description = "The backup.") String id)
      throws IOException {
    cairn.logErrorsOnly();
    try (FileLocation location = open(target)) {
      BackupManifest backup = folder(location).find(id);
      PrintWriter out = out();
      out.println("backup    " + backup.id() + (backup.isFull() ? ", full" : ", changes"));
      out.println("continues " + backup.previous().orElse("none"));
      out.println("begun     " + Instant.ofEpochMilli(backup.beginMillis()));
      backup
          .wholeMillis()
          .ifPresent(millis -> out.println("snapshots " + Instant.ofEpochMilli(millis)));
      out.println("until     " + Instant.ofEpochMilli(backup.endMillis()));
      out.println("changes   " + backup.changes());
      backup.tables().keySet().forEach(table -> out.println("table     " + table));
      backup
          .loads()
          .forEach(
              load ->
                  out.println(
                      "bulk load "
                          + load.table()
                          + " at "
                          + Instant.ofEpochMilli(load.millis())
                          + ", whose files are missing"));
      for (BackupFile file : backup.files()) {
        out.println("file      " + file.path() + ", " + file.length() + " bytes");
      }
      out.flush();
      return 0;
    }
  }

  @Command(
      name = "verify",
      description =
          "Reads backups back and compares all checksums. Names what is lost or damaged, and the"
              + " moments that can be restored without it.",
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit status:%n",
      exitCodeList = {"0:all is well", "1:damage was found"})
  int verify(
      @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder of backups.")
          String target,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "ID",
              description = "One backup (default: all).")
          Optional<String> id)
      throws IOException {
    cairn.logErrorsOnly();
    try (FileLocation location = open(target)) {
      BackupFolder folder = folder(location);
      BackupFolder.Content content =
          id.isPresent()
              ? new BackupFolder.Content(List.of(folder.find(id.get())), List.of())
              : folder.read();
      VerifyJob job = new VerifyJob(folder);
      List<VerifyJob.Finding> findings = new ArrayList<>();
      for (BackupManifest backup : content.backups()) {
        List<VerifyJob.Finding> found = job.verify(backup);
        if (found.isEmpty()) {
          out().println("OK       " + backup.id() + ": " + backup.files().size() + " files");
        }
        found.forEach(finding -> out().println("DAMAGED  " + finding));
        findings.addAll(found);
      }
      warn(out(), content);
      if (id.isEmpty()) {
        out()
            .println(findings.isEmpty() ? "To restore:" : "To restore, without the damaged files:");
        spans(out(), VerifyJob.usable(content.backups(), findings));
      }
      out().flush();
      return findings.isEmpty() && content.damaged().isEmpty() ? 0 : 1;
    }
  }

  @Command(
      name = "restore",
      description = {
        "Makes a table as it was at a moment, in the cluster of the settings.",
        "It checks the backups that it needs first, and the table appears when it is whole. If the"
            + " command is stopped, the same command begins anew."
      },
      mixinStandardHelpOptions = true)
  int restore(
      @Mixin BulkOptions options,
      @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder of backups.")
          String target,
      @Parameters(index = "1", paramLabel = "TABLE", description = "The table in the backups.")
          String table,
      @Option(
              names = "--to",
              paramLabel = "MOMENT",
              description =
                  "With all changes up to this moment: "
                      + Moments.FORMS
                      + "; or REGION:SEQUENCE, as cairn changes prints them, with that change"
                      + " (default: all that the backups have).")
          Optional<String> to,
      @Option(
              names = "--before",
              paramLabel = "REGION:SEQUENCE",
              description = "With all changes before this one.")
          Optional<String> before,
      @Option(names = "--as", paramLabel = "NAME", description = "The name of the restored table.")
          Optional<String> as,
      @Option(
              names = "--replace",
              description = "Delete the table of that name, once the restored one is ready.")
          boolean replaces,
      @Option(
              names = "--root",
              paramLabel = "FOLDER",
              description = "The root directory: a path or URL (default: hbase.rootdir).")
          Optional<String> root)
      throws IOException {
    cairn.logErrorsOnly();
    TableName source = LogRoot.tables(List.of(table)).iterator().next();
    TableName name = LogRoot.tables(List.of(as.orElse(table))).iterator().next();
    RestoreJob.Moment moment = moment(to, before);
    try (LogRoot logs = LogRoot.open(cairn, root, this::tell);
        FileLocation location = open(target);
        Connection connection = options.connectWithTags(cairn)) {
      RestoreJob.Restored restored =
          new RestoreJob(folder(location), logs.storage(), connection, this::tell)
              .run(source, name, moment, replaces);
      out()
          .println(
              "Restored table "
                  + name
                  + " from the full backup "
                  + restored.full()
                  + " and "
                  + restored.changes()
                  + " changes.");
      out().flush();
      return 0;
    }
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

  @Command(
      name = "delete",
      description = "Deletes a backup, unless other backups need it.",
      mixinStandardHelpOptions = true)
  int delete(
      @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder of backups.")
          String target,
      @Parameters(index = "1", paramLabel = "ID", description = "The backup.") String id,
      @Option(
              names = "--with-dependents",
              description = "Delete the backups of changes that need it, too.")
          boolean withDependents)
      throws IOException {
    cairn.logErrorsOnly();
    try (FileLocation location = open(target);
        FolderChange change = new FolderChange(location, "delete")) {
      List<String> deleted = new DeleteJob(change.folder()).run(id, withDependents);
      deleted.forEach(gone -> out().println("Deleted " + gone + "."));
      out().flush();
      return 0;
    }
  }

  @Command(
      name = "merge",
      description =
          "Makes one backup of changes of several that continue each other, and deletes those. The"
              + " moments between them can still be restored.",
      mixinStandardHelpOptions = true)
  int merge(
      @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder of backups.")
          String target,
      @Parameters(index = "1", paramLabel = "FIRST", description = "The first backup.")
          String first,
      @Parameters(index = "2", paramLabel = "LAST", description = "The last backup.") String last)
      throws IOException {
    cairn.logErrorsOnly();
    try (FileLocation location = open(target);
        FolderChange change = new FolderChange(location, "merge")) {
      BackupManifest merged = new MergeJob(change.folder()).run(first, last);
      out()
          .println(
              "Merged "
                  + merged.replaces().size()
                  + " backups into "
                  + merged.id()
                  + ": "
                  + merged.changes()
                  + " changes.");
      out().flush();
      return 0;
    }
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
