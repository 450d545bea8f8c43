package dev.cairn.tools.backup;

import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads backups back and compares lengths and checksums. */
public final class VerifyJob {
  private final BackupFolder folder;

  /** Creates a job. */
  public VerifyJob(BackupFolder folder) {
    this.folder = folder;
  }

  /** Checks a backup's files; returns the damage, or nothing if the backup is whole. */
  public List<Finding> verify(BackupManifest backup) throws IOException {
    Map<BackupFile, String> damage = new LinkedHashMap<>();
    for (BackupFile file : backup.files()) {
      what(backup, file).ifPresent(what -> damage.put(file, what));
    }
    List<Finding> findings = new ArrayList<>();
    for (Map.Entry<BackupFile, String> damaged : damage.entrySet()) {
      findings.add(
          new Finding(
              backup,
              damaged.getKey(),
              tables(backup, damaged.getKey(), damage.keySet()),
              damaged.getValue()));
    }
    return findings;
  }

  /** Returns the tables that need a damaged file. */
  private Set<TableName> tables(BackupManifest backup, BackupFile file, Set<BackupFile> damaged)
      throws IOException {
    Set<TableName> tables = new TreeSet<>();
    for (TableName table : backup.tables().keySet()) {
      if (file.isChanges()
          || file.isLoadedInto(table)
          || backup.isFullOf(table) && isOfSnapshot(backup, table, file, damaged)) {
        tables.add(table);
      }
    }
    return tables;
  }

  private boolean isOfSnapshot(
      BackupManifest backup, TableName table, BackupFile file, Set<BackupFile> damaged)
      throws IOException {
    List<BackupFile> lists = SnapshotFiles.lists(backup, table);
    return lists.contains(file)
        || lists.stream().noneMatch(damaged::contains)
            && SnapshotFiles.hfiles(folder, backup, table).contains(file);
  }

  /** Checks some files, which one table needs; returns the damage. */
  List<Finding> verify(BackupManifest backup, TableName table, Collection<BackupFile> files)
      throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (BackupFile file : files) {
      what(backup, file)
          .ifPresent(what -> findings.add(new Finding(backup, file, Set.of(table), what)));
    }
    return findings;
  }

  /** Checks the files of a table's snapshot; returns the damage. */
  List<Finding> verifySnapshot(BackupManifest full, TableName table) throws IOException {
    List<Finding> findings = verify(full, table, SnapshotFiles.lists(full, table));
    return findings.isEmpty()
        ? verify(full, table, SnapshotFiles.hfiles(folder, full, table))
        : findings;
  }

  private Optional<String> what(BackupManifest backup, BackupFile file) throws IOException {
    BackupFile found;
    try {
      found = FileCopy.read(folder.storage(), backup.id(), file.path());
    } catch (NoSuchFileException e) {
      return Optional.of("is missing");
    }
    if (found.length() != file.length()) {
      return Optional.of("has " + found.length() + " bytes instead of " + file.length());
    }
    return found.equals(file) ? Optional.empty() : Optional.of("is damaged: its checksum is wrong");
  }
}
