package dev.cairn.server.snapshot;

import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;

/**
 * Measures the space that snapshots take: the files that are no longer in their tables. A file that
 * several snapshots need counts for the oldest of them. Not thread-safe.
 */
public final class SnapshotSizes {
  private static final String DATA = "data";

  private final Storage storage;
  private final SnapshotDirectory snapshots;

  /** The files that were counted, or are in a table; by their places in tables. */
  private final Set<String> seen = new HashSet<>();

  /** Creates a measurement of the snapshots under the root directory {@code storage}. */
  public SnapshotSizes(Storage storage, SnapshotDirectory snapshots) {
    this.storage = storage;
    this.snapshots = snapshots;
  }

  /**
   * Returns the bytes of each snapshot of some tables, by table and snapshot.
   *
   * @throws IOException also if a snapshot cannot be read
   */
  public Map<TableName, Map<String, Long>> of(Set<TableName> tables) throws IOException {
    Map<TableName, Map<String, Long>> sizes = new HashMap<>();
    List<SnapshotDescription> oldestFirst =
        snapshots.list().stream()
            .sorted(
                Comparator.comparingLong(SnapshotDescription::getCreationTime)
                    .thenComparing(SnapshotDescription::getName))
            .toList();
    for (SnapshotDescription snapshot : oldestFirst) {
      TableName table =
          SnapshotDescriptions.storedTable(snapshot, "the snapshot " + snapshot.getName());
      if (tables.contains(table)) {
        // One that was deleted since takes no space.
        var stored = snapshots.read(snapshot.getName());
        if (stored.isPresent()) {
          sizes
              .computeIfAbsent(table, any -> new TreeMap<>())
              .put(snapshot.getName(), bytes(stored.get()));
        }
      }
    }
    return sizes;
  }

  private long bytes(StoredSnapshot snapshot) throws IOException {
    long bytes = 0;
    for (SnapshotRegionManifest region : snapshot.manifests()) {
      String name = Messages.regionInfo(region.getRegionInfo()).encodedName();
      for (FamilyFiles family : region.getFamilyFilesList()) {
        StoreDirectory store =
            new StoreDirectory(DATA, snapshot.table(), name, family.getFamilyName().toStringUtf8());
        for (StoreFile file : family.getStoreFilesList()) {
          String place = place(store, StoreFileName.parse(file.getName()));
          if (seen.add(place) && !storage.exists(place)) {
            bytes += file.getFileSize();
          }
        }
      }
    }
    return bytes;
  }

  /** Returns the place of the HFile in its table. */
  private static String place(StoreDirectory store, StoreFileName name) {
    StoreFileName target = name instanceof StoreFileName.Half half ? half.target() : name;
    StoreDirectory home = store;
    if (target instanceof StoreFileName.Link link) {
      home = store.inRegion(link.table(), link.region());
    } else if (name instanceof StoreFileName.Half half) {
      home = store.inRegion(store.table(), half.region());
    }
    return home.region().equals(MobDirectory.region(home.table()))
        ? new MobDirectory(home).file(name.hfile())
        : home.file(name.hfile());
  }
}
