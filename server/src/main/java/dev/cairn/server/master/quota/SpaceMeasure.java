package dev.cairn.server.master.quota;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.snapshot.SnapshotDirectory;
import dev.cairn.server.snapshot.SnapshotSizes;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Measures space in the root directory. Calls wait for the storage. Thread-safe. */
public final class SpaceMeasure {
  private final Storage storage;
  private final SnapshotDirectory snapshots;

  /** Creates measurements of the root directory {@code storage}. */
  public SpaceMeasure(Storage storage, SnapshotDirectory snapshots) {
    this.storage = storage;
    this.snapshots = snapshots;
  }

  /** Returns the bytes of each snapshot of some tables, by table and snapshot. */
  Map<TableName, Map<String, Long>> snapshots(Set<TableName> tables) throws IOException {
    return new SnapshotSizes(storage, snapshots).of(tables);
  }

  /** Returns the bytes of the store files of tables that no server has open. */
  Map<TableName, Long> tables(Set<TableName> closed) throws IOException {
    Map<TableName, Long> sizes = new HashMap<>();
    for (TableName table : closed) {
      sizes.put(table, size(TableFiles.directory(table)));
    }
    return sizes;
  }

  private long size(String table) throws IOException {
    long bytes = 0;
    for (Storage.FileInfo region : directories(table)) {
      for (Storage.FileInfo family : directories(region.path())) {
        for (Storage.FileInfo file : storage.list(family.path())) {
          bytes += file.directory() || file.name().startsWith(".") ? 0 : file.length();
        }
      }
    }
    return bytes;
  }

  private Iterable<Storage.FileInfo> directories(String path) throws IOException {
    return storage.list(path).stream()
        .filter(entry -> entry.directory() && !entry.name().startsWith("."))
        .filter(entry -> !entry.name().equals("recovered.edits"))
        .toList();
  }
}
