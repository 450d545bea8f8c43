package dev.cairn.tools.backup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Deletes backups, the newest first, so that the others can be restored all the time. */
public final class DeleteJob {
  private final BackupFolder folder;

  /** Creates a job. */
  public DeleteJob(BackupFolder folder) {
    this.folder = folder;
  }

  /**
   * Deletes a backup. A backup of changes needs the one that it continues; a full backup needs
   * none.
   *
   * @return the ids of the deleted backups
   * @throws BackupException if remaining backups need it; nothing is deleted then
   */
  public List<String> run(String id, boolean withDependents) throws IOException {
    List<BackupManifest> needed = new ArrayList<>(List.of(folder.find(id)));
    List<BackupManifest> cut = new ArrayList<>();
    for (BackupManifest backup : folder.read().backups()) {
      if (needed.stream().anyMatch(gone -> backup.previous().filter(gone::isCalled).isPresent())) {
        (backup.isFull() ? cut : needed).add(backup);
      }
    }
    List<String> gone = needed.stream().map(BackupManifest::id).toList();
    if (gone.size() > 1 && !withDependents) {
      throw new BackupException(
          "backup "
              + id
              + " is needed by "
              + String.join(", ", gone.subList(1, gone.size()))
              + ": delete those, too (--with-dependents)");
    }
    for (BackupManifest full : cut) { // So that the deleted backup is not reported as lost.
      folder.replace(full.withoutPrevious());
    }
    List<String> deleted = new ArrayList<>();
    for (int i = gone.size() - 1; i >= 0; i--) {
      folder.delete(gone.get(i));
      deleted.add(gone.get(i));
    }
    return deleted;
  }
}
