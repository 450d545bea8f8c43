package dev.cairn.server.master.cleaner;

import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;

/**
 * The store files that snapshots under a root directory need, by name. HBase's layout:
 *
 * <pre>
 *   .hbase-snapshot/name/.snapshotinfo
 *   .hbase-snapshot/name/data.manifest             SnapshotDataManifest: all regions
 *   .hbase-snapshot/name/region-manifest.region    SnapshotRegionManifest, before the former is made
 *   .hbase-snapshot/.tmp/name/…                    a snapshot that is being taken
 * </pre>
 *
 * Snapshots of older versions hold directories of links instead, whose names say the same.
 */
final class SnapshotFiles {
  /** The directory of snapshots that are being taken or copied, within a root directory. */
  static final String UNFINISHED = SnapshotDirectory.NAME + "/.tmp";

  private static final String WORKING = ".tmp";
  private static final String DATA_MANIFEST = "data.manifest";
  private static final String REGION_MANIFEST = "region-manifest.";

  private final Storage storage;
  private final String root;

  SnapshotFiles(Storage storage, String root) {
    this.storage = storage;
    this.root = root;
  }

  /**
   * Returns the names of all files that a snapshot needs, whatever region they are of. Empty while
   * a snapshot is being taken: it may need any file that was archived since it began.
   *
   * @throws IOException also if a snapshot cannot be read
   */
  Optional<Set<String>> names() throws IOException {
    // Checked before the complete ones are listed, so a snapshot that completes meanwhile is
    // listed.
    if (SnapshotDirectory.isAnyBeingTaken(storage, root)) {
      return Optional.empty();
    }
    Set<String> names = new HashSet<>();
    String directory = Storage.join(root, SnapshotDirectory.NAME);
    for (Storage.FileInfo unfinished : storage.list(Storage.join(directory, WORKING))) {
      collect(unfinished.path(), names);
    }
    for (Storage.FileInfo snapshot : storage.list(directory)) {
      if (snapshot.directory()
          && !snapshot.name().equals(WORKING)
          && !collect(snapshot.path(), names)) {
        throw new IOException(
            snapshot.path()
                + " has no manifest. As long as it is there no archived store file is deleted,"
                + " because it might need it; delete the snapshot if it is damaged");
      }
    }
    return Optional.of(names);
  }

  /**
   * Returns the paths of all snapshots, and of all files of unfinished ones. If there are more of
   * them than before {@link #names}, files may be needed that it did not return.
   */
  Set<String> paths() throws IOException {
    Set<String> paths = new HashSet<>();
    String directory = Storage.join(root, SnapshotDirectory.NAME);
    storage.list(directory).forEach(snapshot -> paths.add(snapshot.path()));
    collectPaths(Storage.join(directory, WORKING), paths);
    return paths;
  }

  private void collectPaths(String path, Set<String> paths) throws IOException {
    for (Storage.FileInfo entry : storage.list(path)) {
      paths.add(entry.path());
      if (entry.directory()) {
        collectPaths(entry.path(), paths);
      }
    }
  }

  /** Returns whether there was anything but the snapshot's description. */
  private boolean collect(String path, Set<String> names) throws IOException {
    boolean found = false;
    for (Storage.FileInfo entry : storage.list(path)) {
      if (entry.directory()) {
        found |= collect(entry.path(), names);
      } else if (entry.name().equals(DATA_MANIFEST)) {
        found = true;
        dataManifest(entry.path(), names);
      } else if (entry.name().startsWith(REGION_MANIFEST)) {
        found = true;
        add(SnapshotRegionManifest.parseFrom(read(entry.path())), names);
      } else if (!entry.name().startsWith(".")) {
        found = true;
        add(entry.name(), names);
      }
    }
    return found;
  }

  private void dataManifest(String path, Set<String> names) throws IOException {
    SnapshotDataManifest manifest;
    try {
      manifest = SnapshotDataManifest.parseFrom(read(path));
    } catch (IOException e) {
      throw new IOException(path + " cannot be read: " + e.getMessage(), e);
    }
    manifest.getRegionManifestsList().forEach(region -> add(region, names));
  }

  private static void add(SnapshotRegionManifest region, Set<String> names) {
    region
        .getFamilyFilesList()
        .forEach(family -> family.getStoreFilesList().forEach(file -> add(file.getName(), names)));
  }

  private static void add(String name, Set<String> names) {
    names.add(name);
    names.add(StoreFileName.parse(name).hfile());
  }

  private CodedInputStream read(String path) throws IOException {
    CodedInputStream input = CodedInputStream.newInstance(storage.readAll(path));
    input.setSizeLimit(Integer.MAX_VALUE);
    return input;
  }
}
