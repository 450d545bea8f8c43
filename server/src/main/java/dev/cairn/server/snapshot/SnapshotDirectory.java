package dev.cairn.server.snapshot;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.LostBlockException;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshots under a root directory, in HBase's layout:
 *
 * <pre>
 *   .hbase-snapshot/name/.snapshotinfo            SnapshotDescription
 *   .hbase-snapshot/name/data.manifest            SnapshotDataManifest
 *   .hbase-snapshot/.tmp/name~epoch~attempt/      a snapshot that is being taken
 *   .hbase-snapshot/.tmp/…                        what HBase's tools are making
 * </pre>
 *
 * A snapshot appears and disappears by one rename. Thread-safe.
 */
public final class SnapshotDirectory {
  /** The directory of all snapshots, within a root directory. */
  public static final String NAME = ".hbase-snapshot";

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotDirectory.class);
  private static final String WORKING = NAME + "/.tmp";
  private static final String DESCRIPTION = ".snapshotinfo";
  private static final String MANIFEST = "data.manifest";

  private final Storage storage;
  private final Storage owned;

  /** Creates a view of the root directory {@code storage}, which only one process changes. */
  public SnapshotDirectory(Storage storage) {
    this(storage, storage);
  }

  /**
   * Creates a view of a root directory for a master.
   *
   * @param owned the same directory, which only the present master changes; a snapshot has the name
   *     that the master gives it for ever, but another may get the name of a deleted one
   */
  public SnapshotDirectory(Storage storage, Storage owned) {
    this.storage = storage;
    this.owned = owned;
  }

  /** A snapshot that is being taken. Until its end, the cleaners delete no archived file. */
  public final class Attempt {
    private final WorkingName name;
    private final SnapshotDescription description;

    private Attempt(WorkingName name, SnapshotDescription description) {
      this.name = name;
      this.description = description;
    }

    private String directory() {
      return WORKING + "/" + name;
    }

    /**
     * Makes the snapshot visible, whole, with the MOB files that are there now.
     *
     * @throws FileAlreadyExistsException if there is one of its name
     * @throws NoSuchFileException if a later master has swept it
     */
    public void publish(TableSchema schema, List<SnapshotRegionManifest> regions)
        throws IOException {
      SnapshotDataManifest.Builder manifest =
          SnapshotDataManifest.newBuilder()
              .setTableSchema(schema.message())
              .addAllRegionManifests(regions);
      SnapshotManifests.mob(storage, schema).ifPresent(manifest::addRegionManifests);
      // Never creates the directory: a later master may have swept it.
      try (AppendFile file = storage.createIn(directory() + "/" + MANIFEST)) {
        byte[] bytes = manifest.build().toByteArray();
        file.write(bytes, 0, bytes.length);
        file.sync();
      }
      storage.rename(directory(), path(description.getName()));
    }

    /** Deletes the files of the attempt. */
    public void abandon() throws IOException {
      storage.delete(directory());
    }
  }

  /**
   * Begins to take a snapshot.
   *
   * @param epoch the epoch of the master
   * @param attempt a number that this master uses for no other attempt
   */
  public Attempt begin(SnapshotDescription description, long epoch, long attempt)
      throws IOException {
    Attempt begun =
        new Attempt(new WorkingName(description.getName(), epoch, attempt), description);
    write(begun.directory() + "/" + DESCRIPTION, description.toByteArray());
    return begun;
  }

  /** Returns the description of a snapshot; empty if there is none of that name. */
  public Optional<SnapshotDescription> find(String name) throws IOException {
    String path = path(name) + "/" + DESCRIPTION;
    try {
      return Optional.of(SnapshotDescription.parseFrom(storage.readAll(path)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the descriptions of all snapshots but those whose description is damaged, ordered by
   * name.
   *
   * @throws IOException if a description cannot be read now, although the snapshot may be whole
   */
  public List<SnapshotDescription> list() throws IOException {
    List<SnapshotDescription> all = new ArrayList<>();
    for (Storage.FileInfo entry : storage.list(NAME)) {
      if (!entry.directory() || !SnapshotDescriptions.isName(entry.name())) {
        continue;
      }
      try {
        find(entry.name()).ifPresent(all::add);
      } catch (InvalidProtocolBufferException | DamagedFileException | LostBlockException e) {
        LOG.warn("The snapshot in {} is not listed: {}", entry.path(), e.toString());
      }
    }
    return all;
  }

  /**
   * Reads a snapshot.
   *
   * @throws SnapshotDoesNotExistException if there is none of that name
   * @throws IOException as for {@link #read}
   */
  public StoredSnapshot require(String name) throws IOException {
    return read(name).orElseThrow(() -> doesNotExist(name));
  }

  /** Returns the failure of a request for a snapshot that does not exist. */
  public static SnapshotDoesNotExistException doesNotExist(String name) {
    return new SnapshotDoesNotExistException(
        "Snapshot '" + name + "' doesn't exist on the filesystem");
  }

  /**
   * Reads a snapshot; empty if there is none of that name.
   *
   * @throws IOException also if its files are damaged, or older than HBase 1.0
   */
  public Optional<StoredSnapshot> read(String name) throws IOException {
    Optional<SnapshotDescription> description = find(name);
    if (description.isEmpty()) {
      return Optional.empty();
    }
    String path = path(name) + "/" + MANIFEST;
    SnapshotDataManifest manifest;
    try {
      CodedInputStream input = CodedInputStream.newInstance(storage.readAll(path));
      input.setSizeLimit(Integer.MAX_VALUE);
      manifest = SnapshotDataManifest.parseFrom(input);
    } catch (NoSuchFileException e) {
      throw new IOException(
          path + " is missing. Snapshots without it, which HBase before 1.0 took, cannot be read",
          e);
    } catch (IOException e) {
      throw new IOException(path + " cannot be read: " + e.getMessage(), e);
    }
    Set<String> seen = new HashSet<>();
    List<SnapshotRegionManifest> regions =
        manifest.getRegionManifestsList().stream()
            .filter(region -> region.getRegionInfo().getReplicaId() == 0)
            .filter(region -> seen.add(region.getRegionInfo().toString()))
            .toList();
    try {
      return Optional.of(
          new StoredSnapshot(
              description.get(), new TableSchema(manifest.getTableSchema()), regions));
    } catch (IllegalArgumentException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns the table to create from a snapshot.
   *
   * @param regions its regions, in the order of the snapshot's
   */
  public SnapshotTable table(
      StoredSnapshot snapshot, TableSchema schema, List<RegionInfo> regions) {
    return new SnapshotTable(storage, snapshot, schema, regions);
  }

  /** Deletes a snapshot; returns false if there is none of that name. */
  public boolean delete(String name) throws IOException {
    return owned.delete(path(name));
  }

  /** Deletes the unfinished snapshots of masters before {@code epoch}. */
  public void sweep(long epoch) throws IOException {
    for (Storage.FileInfo entry : storage.list(WORKING)) {
      Optional<WorkingName> name = WorkingName.parse(entry.name());
      if (name.isPresent() && name.get().epoch() < epoch) {
        // By one rename first, so that no earlier master publishes a partly deleted directory.
        String aside = WORKING + "/" + name.get().swept();
        storage.rename(entry.path(), aside);
        storage.delete(aside);
      }
    }
  }

  /**
   * Tells whether a snapshot under a root directory is being taken: it may need files that its
   * manifest, which is not written yet, will name. A snapshot that is not being taken now has its
   * final name, or lists only files that no one archives before this call.
   */
  public static boolean isAnyBeingTaken(Storage storage, String root) throws IOException {
    return storage.list(Storage.join(root, WORKING)).stream()
        .anyMatch(entry -> WorkingName.parse(entry.name()).isPresent());
  }

  /**
   * Renames a copy of a snapshot that a tool is making, and removes its time to live.
   *
   * @param directory the copy
   */
  public static void rename(Storage storage, String directory, String name) throws IOException {
    String path = directory + "/" + DESCRIPTION;
    SnapshotDescription description = SnapshotDescription.parseFrom(storage.readAll(path));
    storage.writeAll(path, description.toBuilder().setName(name).setTtl(0).build().toByteArray());
  }

  private static String path(String name) {
    return NAME + "/" + name;
  }

  private void write(String path, byte[] bytes) throws IOException {
    try (AppendFile file = storage.create(path)) {
      file.write(bytes, 0, bytes.length);
      file.sync();
    }
  }
}
