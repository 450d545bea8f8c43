package dev.cairn.launcher.backup;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads backups back and compares lengths and checksums. */
public final class VerifyJob {
  private final BackupFolder folder;

  /** A file that is lost or damaged. */
  public record Finding(BackupManifest backup, BackupFile file, String what) {
    @Override
    public String toString() {
      return backup.id() + "/" + file.path() + " " + what;
    }
  }

  /** Creates a job. */
  public VerifyJob(BackupFolder folder) {
    this.folder = folder;
  }

  /** Checks a backup's files; returns the damage, or nothing if the backup is whole. */
  public List<Finding> verify(BackupManifest backup) throws IOException {
    return verify(backup, file -> true);
  }

  /** Checks some of a backup's files; returns the damage. */
  List<Finding> verify(BackupManifest backup, Predicate<BackupFile> selected) throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (BackupFile file : backup.files()) {
      if (selected.test(file)) {
        what(backup, file).ifPresent(what -> findings.add(new Finding(backup, file, what)));
      }
    }
    return findings;
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

  /**
   * Returns the backups that can be used without the damaged files. A full backup whose snapshots
   * are damaged still counts as one of changes.
   */
  public static List<BackupManifest> usable(List<BackupManifest> backups, List<Finding> findings) {
    List<BackupManifest> usable = new ArrayList<>();
    for (BackupManifest backup : backups) {
      List<Finding> own =
          findings.stream().filter(finding -> finding.backup().id().equals(backup.id())).toList();
      if (own.isEmpty()) {
        usable.add(backup);
      } else if (own.stream().noneMatch(finding -> finding.file().pathInRoot().isEmpty())) {
        usable.add(backup.asChanges());
      }
    }
    return usable;
  }
}
