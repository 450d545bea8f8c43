package dev.cairn.tools.backup;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Copies a table's snapshot of a backup to a root directory under another name, as HBase's {@code
 * ExportSnapshot} does. It copies the list of files first, under a working name, so that no cleaner
 * deletes the files. After the files are copied, the snapshot gets its name.
 *
 * <p>A cleaner that began before the list was there may still delete a file that was in the archive
 * already. So the caller calls {@link #repair} if the snapshot cannot be used. Not thread-safe.
 */
final class SnapshotImport {
  private static final String ARCHIVE = "archive/";
  private static final int ATTEMPTS = 20;

  private final BackupFolder folder;
  private final BackupManifest backup;
  private final Storage root;
  private final String name;
  private final List<BackupFile> lists;
  private final List<BackupFile> hfiles;

  /** The files in the archive whose checksum is known to be right. */
  private final Set<BackupFile> whole = new HashSet<>();

  /**
   * Creates an import.
   *
   * @param table the table in the backup
   * @param name the name of the snapshot in the root directory; no other process uses it
   */
  SnapshotImport(
      BackupFolder folder, BackupManifest backup, TableName table, Storage root, String name)
      throws IOException {
    this.folder = folder;
    this.backup = backup;
    this.root = root;
    this.name = name;
    this.lists = SnapshotFiles.lists(backup, table);
    this.hfiles = SnapshotFiles.hfiles(folder, backup, table);
  }

  /** Copies the snapshot. */
  void run() throws IOException {
    String working = working(name);
    for (BackupFile file : lists) {
      copy(file, working + "/" + Storage.name(file.path()));
    }
    SnapshotDirectory.rename(root, working, name);
    repair();
    root.rename(working, SnapshotDirectory.NAME + "/" + name);
  }

  /** Deletes the remains of a stopped import under a name, but not a complete snapshot. */
  static void sweep(Storage root, String name) throws IOException {
    root.delete(working(name));
  }

  private static String working(String name) {
    return SnapshotDirectory.NAME + "/.tmp/" + name;
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
    for (BackupFile file : hfiles) {
      if (!isThere(file)) {
        complete = false;
        try {
          copy(file, file.pathInRoot());
          whole.add(file);
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
    if (!root.exists(file.pathInRoot())) {
      return false;
    }
    // A run that was stopped may have left a part of it.
    if (!whole.contains(file)
        && FileCopy.read(root, "", file.pathInRoot()).sha256().equals(file.sha256())) {
      whole.add(file);
    }
    return whole.contains(file);
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
