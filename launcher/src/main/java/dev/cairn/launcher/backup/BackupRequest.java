package dev.cairn.launcher.backup;

import dev.cairn.launcher.output.LauncherException;
import dev.cairn.tools.backup.CreateJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The arguments of {@code cairn backup create}, in one of two forms: {@code FOLDER TABLE…}, or
 * HBase's {@code full|incremental FOLDER -t TABLE,TABLE}.
 *
 * @param folder the folder of backups
 * @param tables the names of the tables; empty for HBase's form without {@code -t}
 * @param extent whether the backup is full
 */
record BackupRequest(String folder, List<String> tables, CreateJob.Extent extent) {
  /** Takes a copy. */
  BackupRequest {
    tables = List.copyOf(tables);
  }

  /**
   * Reads the arguments.
   *
   * @param words the arguments that are no options; at least one
   * @param listed the tables of {@code -t}
   * @param full whether {@code --full} is given
   * @throws LauncherException if they do not go together
   */
  static BackupRequest of(List<String> words, List<String> listed, boolean full) {
    Optional<CreateJob.Extent> type = type(words.get(0));
    if (type.isEmpty()) {
      List<String> tables = new ArrayList<>(words.subList(1, words.size()));
      tables.addAll(listed);
      if (tables.isEmpty()) {
        throw new LauncherException("name the tables: bin/cairn backup create FOLDER TABLE...");
      }
      return new BackupRequest(
          words.get(0), tables, full ? CreateJob.Extent.FULL : CreateJob.Extent.FULL_IF_NEEDED);
    }
    if (words.size() != 2) {
      throw new LauncherException(
          "write bin/cairn backup create "
              + words.get(0)
              + " FOLDER -t TABLE,TABLE. A folder of that name is ./"
              + words.get(0));
    }
    if (full && type.get() == CreateJob.Extent.CHANGES) {
      throw new LauncherException("incremental and --full do not go together");
    }
    return new BackupRequest(words.get(1), listed, type.get());
  }

  private static Optional<CreateJob.Extent> type(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "full" -> Optional.of(CreateJob.Extent.FULL);
      case "incremental" -> Optional.of(CreateJob.Extent.CHANGES);
      default -> Optional.empty();
    };
  }
}
