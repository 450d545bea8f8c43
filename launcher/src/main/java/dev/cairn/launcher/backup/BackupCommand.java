package dev.cairn.launcher.backup;

import dev.cairn.engine.schema.TableName;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.backup.BackupFile;
import dev.cairn.tools.backup.BackupFolder;
import dev.cairn.tools.backup.BackupManifest;
import dev.cairn.tools.backup.DeleteJob;
import dev.cairn.tools.backup.Finding;
import dev.cairn.tools.backup.FolderChange;
import dev.cairn.tools.backup.MergeJob;
import dev.cairn.tools.backup.RestorePlan;
import dev.cairn.tools.backup.VerifyJob;
import dev.cairn.tools.inspect.FileLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
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
          + " FOLDER is a local path, or a URL hdfs://HOST/PATH."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      BackupCreateCommand.class,
      BackupRestoreCommand.class,
      BackupHistoryCommand.class,
      HBaseBackupCommands.Progress.class,
      HBaseBackupCommands.Sets.class,
      HBaseBackupCommands.Repair.class
    })
public final class BackupCommand implements Runnable {
  private static final String FOLDER_NEEDED =
      "HBase's command names no folder; Cairn records backups in their folder alone.";

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing create, list, describe, verify, restore, merge or delete");
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  CommandContext cairn() {
    return cairn;
  }

  FileLocation open(String folder) throws IOException {
    return FileLocation.folder(folder, cairn.installation().configFolder());
  }

  static BackupFolder folder(FileLocation location) {
    return new BackupFolder(location.storage(), location.name());
  }

  static void warn(PrintWriter out, BackupFolder.Content content) {
    content
        .damaged()
        .forEach(damaged -> out.println("DAMAGED  " + damaged.id() + ": " + damaged.why()));
    content.lost().forEach(lost -> out.println("LOST     " + lost));
  }

  static void spans(PrintWriter out, List<BackupManifest> backups) {
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

  /** Returns the line of a backup in lists. */
  static String line(BackupManifest backup) {
    return backup.id()
        + "\t"
        + (backup.isFull() ? "full" : "changes")
        + "\t"
        + backup.bytes()
        + " bytes\tuntil "
        + Instant.ofEpochMilli(backup.endMillis())
        + "\t"
        + backup.tables().keySet();
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
      content.backups().forEach(backup -> out().println(line(backup)));
      warn(out(), content);
      spans(out(), content.backups());
      out().flush();
      return content.isWhole() ? 0 : 1;
    }
  }

  @Command(
      name = "describe",
      description = "Prints the description of a backup, and its files.",
      footer = FOLDER_NEEDED,
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
          "Reads backups back and compares all checksums. Names lost and damaged files, and"
              + " the moments that can be restored without them.",
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
      BackupFolder.Content content = folder.read();
      if (id.isPresent()) {
        content = content.of(folder.find(id.get()));
      }
      VerifyJob job = new VerifyJob(folder);
      List<Finding> findings = new ArrayList<>();
      for (BackupManifest backup : content.backups()) {
        List<Finding> found = job.verify(backup);
        if (found.isEmpty()) {
          out()
              .println(
                  "OK       "
                      + backup.id()
                      + ": "
                      + Descriptions.count(backup.files().size(), "file"));
        }
        found.forEach(finding -> out().println("DAMAGED  " + finding));
        findings.addAll(found);
      }
      warn(out(), content);
      if (id.isEmpty()) {
        out()
            .println(
                findings.isEmpty() && content.isWhole()
                    ? "Moments to restore:"
                    : "Moments to restore, without lost and damaged files:");
        spans(out(), Finding.usable(content.backups(), findings));
      }
      out().flush();
      return findings.isEmpty() && content.isWhole() ? 0 : 1;
    }
  }

  @Command(
      name = "delete",
      description = "Deletes a backup, unless other backups need it.",
      footer = FOLDER_NEEDED,
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
      footer = FOLDER_NEEDED,
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
                  + Descriptions.count(merged.replaces().size(), "backup")
                  + " into "
                  + merged.id()
                  + ": "
                  + Descriptions.count(merged.changes(), "change")
                  + ".");
      out().flush();
      return 0;
    }
  }
}
