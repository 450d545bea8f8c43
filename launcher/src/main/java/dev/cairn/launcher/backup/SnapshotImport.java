package dev.cairn.launcher.backup;

import dev.cairn.engine.storage.Storage;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * Copies a snapshot of a backup to a root directory, as HBase's {@code ExportSnapshot} does: first
 * the list of files, under a working name, so that no cleaner deletes the files; then the files;
 * then the snapshot gets its name.
 *
 * <p>A cleaner that began before the list was there may still delete a file that the archive had
 * already. So the caller asks {@link #repair} if the snapshot cannot be used.
 */
final class SnapshotImport {
  private static final String ARCHIVE = "archive/";
  private static final int ATTEMPTS = 20;

  private final BackupFolder folder;
  private final BackupManifest backup;
  private final Storage root;

  SnapshotImport(BackupFolder folder, BackupManifest backup, Storage root) {
    this.folder = folder;
    this.backup = backup;
    this.root = root;
  }

  /** Copies a snapshot, unless the root directory has it. */
  void run(String name) throws IOException {
    String target = SnapshotDirectory.NAME + "/" + name;
    if (root.exists(target)) {
      repair(); // An earlier run was stopped after this step.
      return;
    }
    String working = SnapshotDirectory.NAME + "/.tmp/" + name;
    root.delete(working);
    for (BackupFile file : backup.files()) {
      if (file.pathInRoot().startsWith(target + "/")) {
        copy(file, working + file.pathInRoot().substring(target.length()));
      }
    }
    repair();
    root.rename(working, target);
  }

  /** Copies the HFiles that are missing; returns whether there were any. */
  boolean repair() throws IOException {
    int attempts = 0;
    while (!copyHFiles()) {
      if (++attempts == ATTEMPTS) {
        throw new BackupException("files that were copied to the archive disappear again");
      }
    }
    return attempts > 0;
  }

  /** Copies the HFiles that are not there; returns whether all were there. */
  private boolean copyHFiles() throws IOException {
    boolean complete = true;
    for (BackupFile file : backup.files()) {
      if (file.pathInRoot().startsWith(ARCHIVE) && !isThere(file)) {
        complete = false;
        try {
          copy(file, file.pathInRoot());
        } catch (NoSuchFileException e) {
          // A cleaner has removed the directory, which was empty before. The next attempt sees it.
          if (!folder.storage().exists(backup.id() + "/" + file.path())) {
            throw e;
          }
        }
      }
    }
    return complete;
  }

  /** Tells whether the root directory has an HFile, whose name no other file has. */
  private boolean isThere(BackupFile file) throws IOException {
    String place = file.pathInRoot().substring(ARCHIVE.length());
    for (String path : List.of(place, "mobdir/" + place)) {
      if (root.exists(path)) {
        return true;
      }
    }
    // A run that was stopped may have left a part of it.
    return root.exists(file.pathInRoot())
        && FileCopy.read(root, "", file.pathInRoot()).sha256().equals(file.sha256());
  }

  private void copy(BackupFile file, String path) throws IOException {
    root.delete(path);
    BackupFile copied =
        FileCopy.copy(folder.storage(), List.of(backup.id() + "/" + file.path()), root, "", path);
    if (!copied.sha256().equals(file.sha256())) {
      throw new BackupException(
          backup.id() + "/" + file.path() + " is damaged: its checksum is wrong");
    }
  }
}
