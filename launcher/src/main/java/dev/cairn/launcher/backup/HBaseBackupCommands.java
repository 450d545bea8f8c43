package dev.cairn.launcher.backup;

import dev.cairn.launcher.output.LauncherException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** The commands of {@code hbase backup} without a meaning here. Each names the alternative. */
public final class HBaseBackupCommands {
  /** The name of the command that runs {@code cairn backup restore}. */
  public static final String RESTORE = "restore";

  private HBaseBackupCommands() {}

  private abstract static class Refused implements Callable<Integer> {
    @Unmatched private List<String> arguments = new ArrayList<>();
    private final String reason;

    Refused(String reason) {
      this.reason = reason;
    }

    @Override
    public Integer call() {
      throw new LauncherException(reason);
    }
  }

  /** {@code hbase backup progress}. */
  @Command(name = "progress", hidden = true)
  static final class Progress extends Refused {
    Progress() {
      super(
          "create and restore run until they are done; bin/cairn backup list FOLDER shows the"
              + " finished backups");
    }
  }

  /** {@code hbase backup set}. */
  @Command(name = "set", hidden = true)
  static final class Sets extends Refused {
    Sets() {
      super(
          "Cairn keeps no backup sets. Name the tables: bin/cairn backup create FOLDER TABLE...; a"
              + " later backup of the same tables in the same folder continues it");
    }
  }

  /** {@code hbase backup repair}. */
  @Command(name = "repair", hidden = true)
  static final class Repair extends Refused {
    Repair() {
      super(
          "there is nothing to repair: after a stop, run the same command again; it removes the"
              + " remains. bin/cairn backup verify FOLDER checks the backups");
    }
  }

  /** {@code hbase restore}, which is {@code cairn backup restore}. */
  @Command(name = RESTORE, hidden = true)
  public static final class Restore implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Unmatched private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
      List<String> all = new ArrayList<>(List.of("backup", RESTORE));
      all.addAll(arguments);
      return spec.parent().commandLine().execute(all.toArray(String[]::new));
    }
  }
}
