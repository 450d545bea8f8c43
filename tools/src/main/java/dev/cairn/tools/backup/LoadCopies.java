package dev.cairn.tools.backup;

import dev.cairn.engine.changes.Change;
import dev.cairn.engine.changes.LoadedFiles;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies the files of bulk loads into a backup, from the stores or from the archive. A cursor of
 * the changes keeps the archived ones. One thread.
 */
final class LoadCopies {
  private final Storage root;
  private final Storage folder;
  private final String directory;
  private final List<BackupFile> files = new ArrayList<>();
  private final List<BackupManifest.Load> missing = new ArrayList<>();

  /**
   * Creates an empty one.
   *
   * @param directory the backup's directory in {@code folder}
   */
  LoadCopies(Storage root, Storage folder, String directory) {
    this.root = root;
    this.folder = folder;
    this.directory = directory;
  }

  /** Returns the path of a loaded file in a backup. */
  static String path(LoadedFiles.File file) {
    return BackupFile.LOADS + file.path();
  }

  /** Copies the files of a change, if it is a bulk load. */
  void add(Change change) throws IOException {
    if (change.kind() != Change.Kind.BULK_LOAD) {
      return;
    }
    List<BackupFile> copied = new ArrayList<>();
    try {
      for (LoadedFiles.File file :
          LoadedFiles.of(change.table(), change.region(), change.cells()).files()) {
        copied.add(FileCopy.copy(root, file.places(), folder, directory, path(file)));
      }
      files.addAll(copied);
    } catch (NoSuchFileException e) {
      missing.add(new BackupManifest.Load(change.table(), change.writeTimeMillis()));
      for (BackupFile file : copied) {
        folder.delete(Storage.join(directory, file.path()));
      }
    }
  }

  List<BackupFile> files() {
    return files;
  }

  /** Returns the loads with missing files. */
  List<BackupManifest.Load> missing() {
    return missing;
  }
}
