package dev.cairn.tools.backup;

import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes one backup of changes of several that continue each other. The merged backup names those
 * that it replaces, so it takes their place when it appears; then they are deleted.
 */
public final class MergeJob {
  private static final String SUFFIX = "m";

  private final BackupFolder folder;

  /** Creates a job. */
  public MergeJob(BackupFolder folder) {
    this.folder = folder;
  }

  /**
   * Merges backups.
   *
   * @param first the id of the first one
   * @param last the id of the last one
   * @throws BackupException if they do not continue each other, one is full, or a file is damaged;
   *     nothing has changed
   */
  public BackupManifest run(String first, String last) throws IOException {
    folder.sweep();
    List<BackupManifest> parts = parts(first, last);
    BackupManifest newest = parts.get(parts.size() - 1);
    String id = newest.id() + SUFFIX;
    List<BackupFile> files = new ArrayList<>();
    List<BackupManifest.Load> loads = new ArrayList<>();
    List<String> replaced = new ArrayList<>();
    long changes = 0;
    for (BackupManifest part : parts) {
      for (BackupFile file : part.files()) {
        files.add(copy(part, file, id));
      }
      loads.addAll(part.loads());
      replaced.add(part.id());
      replaced.addAll(part.replaces());
      changes += part.changes();
    }
    BackupManifest merged =
        new BackupManifest(
            id,
            newest.chain(),
            parts.get(0).previous(),
            parts.get(0).beginMillis(),
            newest.wholeMillis(),
            newest.endMillis(),
            newest.position(),
            newest.tables(),
            loads,
            changes,
            replaced,
            files);
    folder.publish(merged);
    for (BackupManifest part : parts) {
      folder.delete(part.id());
    }
    return merged;
  }

  private BackupFile copy(BackupManifest part, BackupFile file, String id) throws IOException {
    // Changes in the order of the parts, and with names that no other part has.
    String path =
        file.isChanges()
            ? BackupFile.BEFORE + part.id() + "-" + Storage.name(file.path())
            : file.path();
    BackupFile copied =
        FileCopy.copy(
            folder.storage(),
            List.of(part.id() + "/" + file.path()),
            folder.storage(),
            BackupFolder.working(id),
            path);
    if (!copied.sha256().equals(file.sha256())) {
      throw new BackupException(
          "nothing was merged: "
              + part.id()
              + "/"
              + file.path()
              + " is damaged: its checksum is wrong");
    }
    return copied;
  }

  private List<BackupManifest> parts(String first, String last) throws IOException {
    BackupManifest begin = folder.find(first);
    folder.find(last);
    List<BackupManifest> parts = new ArrayList<>();
    for (BackupManifest backup : RestorePlan.chain(folder.read().backups(), begin)) {
      if (backup.isFull()) {
        throw new BackupException(
            "backup " + backup.id() + " is full: only backups of changes can be merged");
      }
      parts.add(backup);
      if (backup.id().equals(last)) {
        if (parts.size() == 1) {
          throw new BackupException("there is only one backup from " + first + " to " + last);
        }
        return parts;
      }
    }
    throw new BackupException("backup " + last + " does not continue " + first);
  }
}
