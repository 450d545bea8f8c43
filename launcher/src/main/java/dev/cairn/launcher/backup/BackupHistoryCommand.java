package dev.cairn.launcher.backup;

import dev.cairn.engine.schema.TableName;
import dev.cairn.launcher.folder.LogRoot;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.tools.backup.BackupFolder;
import dev.cairn.tools.backup.BackupManifest;
import dev.cairn.tools.inspect.FileLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn backup history}, as HBase has it; but backups are recorded in their folder. */
@Command(
    name = "history",
    description = "Lists the newest backups of a folder, as HBase's command does.",
    mixinStandardHelpOptions = true)
final class BackupHistoryCommand implements Callable<Integer> {
  @ParentCommand private BackupCommand backups;
  @Spec private CommandSpec spec;
  @Mixin private HBaseBackupOptions refused;

  @Option(names = "-p", paramLabel = "FOLDER", description = "The folder of backups.")
  private Optional<String> folder = Optional.empty();

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "10",
      description = "List at most this many (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(names = "-t", paramLabel = "TABLE", description = "List only backups of this table.")
  private Optional<String> table = Optional.empty();

  @Override
  public Integer call() throws IOException {
    backups.cairn().logErrorsOnly();
    refused.check();
    String target =
        folder.orElseThrow(
            () ->
                new LauncherException(
                    "backups are recorded in their folder: bin/cairn backup history -p FOLDER"));
    Set<TableName> tables = LogRoot.tables(table.stream().toList());
    try (FileLocation location = backups.open(target)) {
      BackupFolder.Content content = BackupCommand.folder(location).read();
      List<BackupManifest> newestFirst = new ArrayList<>(content.backups());
      Collections.reverse(newestFirst);
      PrintWriter out = spec.commandLine().getOut();
      newestFirst.stream()
          .filter(backup -> backup.tables().keySet().containsAll(tables))
          .limit(Math.max(0, count))
          .forEach(backup -> out.println(BackupCommand.line(backup)));
      BackupCommand.warn(out, content);
      out.flush();
      return content.damaged().isEmpty() ? 0 : 1;
    }
  }
}
