package dev.cairn.tools.backup;

import dev.cairn.engine.schema.TableName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A file of a backup that is lost or damaged.
 *
 * @param tables the tables that need it
 * @param what how it is damaged
 */
public record Finding(BackupManifest backup, BackupFile file, Set<TableName> tables, String what) {
  @Override
  public String toString() {
    return backup.id() + "/" + file.path() + " " + what;
  }

  /**
   * Returns the backups that can be used without the damaged files. A full backup without a
   * snapshot still provides changes. A full backup without the changes before its snapshots still
   * restores tables, but continues no other backup.
   */
  public static List<BackupManifest> usable(List<BackupManifest> backups, List<Finding> findings) {
    List<BackupManifest> usable = new ArrayList<>();
    for (BackupManifest backup : backups) {
      List<Finding> own =
          findings.stream().filter(finding -> finding.backup().id().equals(backup.id())).toList();
      boolean isBeforeDamaged = own.stream().anyMatch(finding -> finding.file().isBefore());
      if (own.stream().anyMatch(finding -> finding.file().isAfter())
          || isBeforeDamaged && !backup.isFull()) {
        continue;
      }
      BackupManifest left =
          backup
              .withoutSnapshotsOf(tables(own, file -> !file.pathInRoot().isEmpty()))
              .without(tables(own, BackupFile::isLoaded));
      usable.add(isBeforeDamaged ? left.withoutPrevious() : left);
    }
    return usable;
  }

  private static Set<TableName> tables(List<Finding> findings, Predicate<BackupFile> selected) {
    Set<TableName> tables = new HashSet<>();
    findings.stream()
        .filter(finding -> selected.test(finding.file()))
        .forEach(finding -> tables.addAll(finding.tables()));
    return tables;
  }
}
