package dev.cairn.tools.backup;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.RedirectedStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.snapshot.SnapshotContent;
import dev.cairn.server.snapshot.SnapshotDirectory;
import dev.cairn.server.snapshot.StoredSnapshot;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The files of one table's snapshot in a full backup. */
final class SnapshotFiles {
  private SnapshotFiles() {}

  /** Returns the files that describe the snapshot and name its HFiles. */
  static List<BackupFile> lists(BackupManifest full, TableName table) {
    String directory = SnapshotDirectory.NAME + "/" + snapshot(full, table) + "/";
    return full.files().stream().filter(file -> file.pathInRoot().startsWith(directory)).toList();
  }

  /**
   * Returns the HFiles.
   *
   * @throws IOException also if the {@link #lists} are damaged
   */
  static List<BackupFile> hfiles(BackupFolder folder, BackupManifest full, TableName table)
      throws IOException {
    String name = snapshot(full, table);
    Storage root =
        new RedirectedStorage(
            folder.storage(),
            Map.of(
                SnapshotDirectory.NAME,
                full.id() + "/" + BackupFile.ROOT + SnapshotDirectory.NAME));
    StoredSnapshot snapshot =
        new SnapshotDirectory(root)
            .read(name)
            .orElseThrow(
                () -> new BackupException("backup " + full.id() + " has no snapshot " + name));
    Set<String> needed = new HashSet<>();
    SnapshotContent.of(snapshot).forEach(file -> needed.add(file.archived()));
    return full.files().stream().filter(file -> needed.contains(file.pathInRoot())).toList();
  }

  private static String snapshot(BackupManifest full, TableName table) {
    return full.tables().get(table).snapshot();
  }
}
