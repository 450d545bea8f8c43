package dev.cairn.server.master.store;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.TableFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos.ClusterId;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos.HBaseVersionFileContent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes and checks the files at the top of the root directory, in HBase's format: {@code
 * hbase.version} (the layout's version) and {@code hbase.id} (the cluster's id). Calls wait for the
 * storage.
 */
public final class RootDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(RootDirectory.class);
  private static final String VERSION_FILE = "hbase.version";
  private static final String ID_FILE = "hbase.id";
  private static final String LAYOUT_VERSION = "8";
  private static final String LOGS = "WALs";
  private static final String LOG_ARCHIVE = "oldWALs";

  /**
   * The time for which a server looks for the id of a new cluster; the next field is the time
   * between two looks.
   */
  private static final Duration ID_PATIENCE = Duration.ofSeconds(3);

  private static final Duration ID_POLL = Duration.ofMillis(100);

  /** The names that may lie in a directory without a version. */
  private static final Set<String> KNOWN =
      Set.of(
          "data",
          LOGS,
          LOG_ARCHIVE,
          "archive",
          "MasterData",
          "corrupt",
          "staging",
          "mobdir",
          "zookeeper",
          "logs",
          ID_FILE,
          VERSION_FILE);

  private final Storage storage;
  private final Supplier<UUID> ids;
  private final StoreFileTracking.Kind tracker;

  /**
   * Creates a view.
   *
   * @param ids makes ids for new clusters
   * @param tracker the store file tracker of the system's own tables, when they are created
   */
  public RootDirectory(Storage storage, Supplier<UUID> ids, StoreFileTracking.Kind tracker) {
    this.storage = storage;
    this.tracker = tracker;
    this.ids = ids;
  }

  /**
   * Makes a new root directory, or checks one that is there.
   *
   * @return the cluster's id
   * @throws IOException if the directory belongs to another program, or has another layout
   */
  public String prepare() throws IOException {
    check(storage);
    // Before hbase:meta: a folder with hbase:meta but without LOGS is refused.
    storage.createDirectories(LOGS);
    storage.createDirectories(LOG_ARCHIVE);
    if (!storage.exists(VERSION_FILE)) {
      storage.writeAll(
          VERSION_FILE,
          Messages.toFile(HBaseVersionFileContent.newBuilder().setVersion(LAYOUT_VERSION).build()));
    }
    return clusterId();
  }

  /**
   * Creates the missing directories of {@code hbase:meta}.
   *
   * @param files the same root directory
   * @param replicas the number of copies in a new descriptor; if empty, one
   */
  public void createMeta(TableFiles files, OptionalInt replicas) throws IOException {
    TableSchema meta = MetaFormat.schema().withDefault(StoreFileTracking.KEY, tracker.name());
    if (replicas.isPresent()) {
      meta = MetaFormat.withCopies(meta, replicas.getAsInt());
    }
    files.create(meta, List.of(RegionInfo.META));
    repairDescriptor(files, meta);
    files.createNamespace(TableName.DEFAULT_NAMESPACE); // HBase looks into it, empty or not.
  }

  /** Rewrites the descriptor of one of the server's own tables if it is damaged. */
  public static void repairDescriptor(TableFiles files, TableSchema known) throws IOException {
    files
        .descriptors()
        .repair(known)
        .ifPresent(
            reason ->
                LOG.warn(
                    "The descriptor of {} was replaced by the default one: {}. The damaged file,"
                        + " if any, is in the folder corrupt",
                    known.name(),
                    reason));
  }

  /**
   * Checks that a root directory is new or one of this layout, and changes nothing.
   *
   * @throws IOException if the directory belongs to another program, or has another layout
   */
  public static void check(Storage storage) throws IOException {
    if (storage.exists(VERSION_FILE)) {
      String version = version(storage);
      if (!version.equals(LAYOUT_VERSION)) {
        throw new IOException(
            "hbase.rootdir has the layout version "
                + version
                + "; this server knows version "
                + LAYOUT_VERSION);
      }
    } else {
      refuseForeign(storage);
    }
    refuseWithoutLogs(storage);
    if (storage.exists(ID_FILE)) {
      id(storage);
    }
  }

  /**
   * Checks that a root directory belongs to the cluster that ZooKeeper knows, and changes nothing.
   * If the directory has no id, looks again for some seconds: a server of a new cluster may see
   * ZooKeeper's id before the file with the id, although the master writes the file first.
   *
   * @param known the cluster's id in ZooKeeper; empty if there was no master yet
   * @throws IOException if it belongs to another cluster, or to none yet
   */
  public static void checkCluster(Storage storage, Optional<String> known, Clock clock)
      throws IOException {
    if (known.isEmpty()) {
      return;
    }
    Optional<String> stored = storedId(storage);
    long end = clock.nanoTime() + ID_PATIENCE.toNanos();
    while (stored.isEmpty() && clock.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
      clock.park(ID_POLL.toNanos());
      stored = storedId(storage);
    }
    if (!stored.equals(known)) {
      throw new IOException(
          "hbase.rootdir "
              + storage
              + (stored.isPresent()
                  ? " is of the cluster " + stored.get()
                  : " is of no cluster yet (it contains " + contents(storage) + ")")
              + ", but ZooKeeper knows the cluster "
              + known.get()
              + ". Set hbase.rootdir, hbase.zookeeper.quorum or zookeeper.znode.parent to those of"
              + " one cluster; if ZooKeeper's cluster is gone, delete its znodes");
    }
  }

  private static Optional<String> storedId(Storage storage) throws IOException {
    return storage.exists(ID_FILE) ? Optional.of(id(storage)) : Optional.empty();
  }

  private static String contents(Storage storage) throws IOException {
    List<String> names = storage.list("").stream().map(Storage.FileInfo::name).sorted().toList();
    return names.isEmpty() ? "nothing" : String.join(", ", names);
  }

  private static String version(Storage storage) throws IOException {
    byte[] bytes = storage.readAll(VERSION_FILE);
    try {
      return Messages.fromFile(bytes, VERSION_FILE, HBaseVersionFileContent.parser()).getVersion();
    } catch (IOException e) {
      throw damaged(storage, VERSION_FILE, e);
    }
  }

  private static String id(Storage storage) throws IOException {
    byte[] bytes = storage.readAll(ID_FILE);
    try {
      return Messages.fromFile(bytes, ID_FILE, ClusterId.parser()).getClusterId();
    } catch (IOException e) {
      throw damaged(storage, ID_FILE, e);
    }
  }

  private static IOException damaged(Storage storage, String file, IOException cause) {
    return new IOException(
        "the data folder "
            + storage
            + " cannot be used, since its file "
            + file
            + " is damaged: "
            + cause.getMessage()
            + ". Restore the file from a backup",
        cause);
  }

  private String clusterId() throws IOException {
    Optional<String> stored = storedId(storage);
    if (stored.isPresent()) {
      return stored.get();
    }
    String id = ids.get().toString();
    String prepared = ".tmp/" + ID_FILE + "-" + id;
    storage.writeAll(prepared, Messages.toFile(ClusterId.newBuilder().setClusterId(id).build()));
    try {
      storage.rename(prepared, ID_FILE);
    } catch (FileAlreadyExistsException e) {
      storage.delete(prepared); // Another master has led meanwhile.
      return id(storage);
    }
    return id;
  }

  /**
   * Refuses a folder without directories of logs. Every server creates these directories, and no
   * server removes them. If both are missing, the logs are in another folder, with all cells that
   * are not in store files yet.
   */
  private static void refuseWithoutLogs(Storage storage) throws IOException {
    if (storage.exists(TableFiles.directory(RegionInfo.META))
        && !storage.exists(LOGS)
        && !storage.exists(LOG_ARCHIVE)) {
      throw new IOException(
          "the data folder "
              + storage
              + " holds hbase:meta, but neither WALs nor oldWALs, so its logs are in another"
              + " folder. Set hbase.wal.dir to that folder. If the folder was copied after a"
              + " clean stop, and the copy left out empty folders, create an empty folder"
              + " WALs in it");
    }
  }

  private static void refuseForeign(Storage storage) throws IOException {
    for (Storage.FileInfo entry : storage.list("")) {
      if (!KNOWN.contains(entry.name())
          && !entry.name().startsWith(".")
          && !entry.name().startsWith("cairn")
          && !entry.name().startsWith("zookeeper.")
          && !entry.name().endsWith(".new")) {
        throw new IOException(
            "hbase.rootdir holds "
                + entry.name()
                + " and no "
                + VERSION_FILE
                + ": it belongs to something else. Choose an empty directory");
      }
    }
    if (storage.exists(TableFiles.directory(RegionInfo.META))) {
      throw new IOException(
          "hbase.rootdir holds hbase:meta and no "
              + VERSION_FILE
              + ": its layout is unknown. Restore the file from a backup");
    }
  }
}
