package dev.cairn.server.master.cleaner;

import dev.cairn.engine.changes.ChangeCursors;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes archived store files that nothing needs any more: no back reference, no link and no
 * reference of a table, no snapshot, and no cursor of the changes; and back references whose link
 * is gone. While it cannot tell, for example because a snapshot is unreadable, it deletes nothing.
 *
 * <p>A file's grace begins when it is first seen in the archive: a move does not change a file's
 * time. So a restart begins it anew. Thread-safe: one look at a time, others do nothing.
 */
public final class HFileCleaner {
  /** The minimum time for which an archived store file is kept. */
  public static final ConfigKey<Long> KEEP_MILLIS =
      ConfigKey.number(
          "hbase.master.hfilecleaner.ttl",
          300_000,
          0,
          Long.MAX_VALUE,
          "Minimum time for which archived store files are kept, in milliseconds, counted"
              + " from when the cleaner first finds them.");

  private static final Logger LOG = LoggerFactory.getLogger(HFileCleaner.class);
  private static final String LINKS_PREFIX = ".links-";

  /** Part of the name of a file that was loaded in bulk. */
  private static final Pattern LOADED = Pattern.compile("_SeqId_[0-9]+_");

  private final Storage storage;
  private final Clock clock;
  private final long keepMillis;
  private final List<String> roots;

  private final AtomicBoolean running = new AtomicBoolean();

  /** The files in the archive, and the time since which each has been there without a break. */
  private volatile Map<String, Long> firstSeen = Map.of();

  /**
   * Creates a cleaner.
   *
   * @param roots the directories that have an {@code archive} in them; the storage's root is the
   *     empty string
   */
  public HFileCleaner(SiteConfig config, Storage storage, Clock clock, String... roots) {
    this.storage = storage;
    this.clock = clock;
    this.keepMillis = config.get(KEEP_MILLIS);
    this.roots = List.of(roots);
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> keys() {
    return List.of(KEEP_MILLIS);
  }

  /**
   * Looks once.
   *
   * @return how many store files were deleted
   * @throws IOException also if something that may need a file cannot be read; then nothing more is
   *     deleted
   */
  public int clean() throws IOException {
    if (!running.compareAndSet(false, true)) {
      return 0;
    }
    int deleted = 0;
    try {
      Look look = new Look(clock.currentTimeMillis());
      for (String root : roots) {
        deleted += look.clean(root);
      }
      firstSeen = look.seen;
    } finally {
      running.set(false);
    }
    if (deleted > 0) {
      LOG.info("Deleted {} archived store files", deleted);
    }
    return deleted;
  }

  /** One look at the archives. */
  private final class Look {
    private final long now;
    private final Map<String, Long> seen = new HashMap<>();
    private final List<Candidate> candidates = new ArrayList<>();

    Look(long now) {
      this.now = now;
    }

    int clean(String root) throws IOException {
      candidates.clear();
      String data = Storage.join(root, "data");
      for (Storage.FileInfo namespace : directories(Storage.join(root, "archive/data"))) {
        for (Storage.FileInfo table : directories(namespace.path())) {
          cleanTable(data, namespace.name(), table);
        }
      }
      if (candidates.isEmpty()) {
        return 0;
      }
      SnapshotFiles snapshots = new SnapshotFiles(storage, root);
      Set<String> known = snapshots.paths();
      Optional<Set<String>> ofSnapshots = snapshots.names();
      if (ofSnapshots.isEmpty()) {
        LOG.debug("A snapshot is being taken: archived store files stay for now");
        return 0;
      }
      Set<String> needed = new HashSet<>(ofSnapshots.get());
      needed.addAll(linked(root));
      Map<TableName, Long> cursors =
          root.isEmpty() ? new ChangeCursors(storage).neededSince() : Map.of();
      int deleted = 0;
      for (Candidate candidate : candidates) {
        // Looked for again: someone may have linked to the file since.
        if (!needed.contains(candidate.name)
            && !isNeeded(candidate, cursors)
            && hasNoFiles(candidate.links)) {
          if (!known.containsAll(snapshots.paths())) {
            LOG.debug("A snapshot has appeared: the other archived store files stay for now");
            return deleted;
          }
          delete(candidate.directory, candidate.name);
          deleted++;
        }
      }
      return deleted;
    }

    /** Tells whether a change that a cursor has not read may have loaded the file. */
    private boolean isNeeded(Candidate candidate, Map<TableName, Long> cursors) {
      Long since = cursors.get(candidate.table);
      return since != null
          && LOADED.matcher(candidate.name).find()
          && seen.get(candidate.directory + "/" + candidate.name) >= since;
    }

    private void cleanTable(String data, String namespace, Storage.FileInfo table)
        throws IOException {
      TableName name;
      try {
        name = new TableName(namespace, table.name());
      } catch (IllegalArgumentException e) {
        LOG.warn("Leaving {} alone, which is no table's: {}", table.path(), e.getMessage());
        return;
      }
      for (Storage.FileInfo region : directories(table.path())) {
        cleanRegion(data, name, region);
      }
    }

    /**
     * Tells whether files of a snapshot may be on their way into the archive. Copies of snapshots
     * have a working directory before they have files.
     */
    private boolean isSnapshotUnfinished(String data) throws IOException {
      String root = data.substring(0, Math.max(0, data.lastIndexOf('/')));
      return !storage.list(Storage.join(root, SnapshotFiles.UNFINISHED)).isEmpty();
    }

    private void cleanRegion(String data, TableName table, Storage.FileInfo region)
        throws IOException {
      boolean empty = true;
      for (Storage.FileInfo family : storage.list(region.path())) {
        empty &= family.directory() && cleanFamily(data, table, region.name(), family);
      }
      // Only whole trees are deleted: no process may be archiving anything here meanwhile.
      if (empty
          && markSeen(region.path())
          && isGone(data, table, region.name())
          && hasNoFilesBelow(region.path())
          && !isSnapshotUnfinished(data)) {
        storage.delete(region.path());
      }
    }

    /** Tells whether nothing is left of a region; looks in the order in which regions go. */
    private boolean isGone(String data, TableName table, String region) throws IOException {
      String root = data.substring(0, Math.max(0, data.lastIndexOf('/')));
      String below = table.namespace() + "/" + table.qualifier() + "/" + region;
      return !storage.exists(Storage.join(data, below))
          && !storage.exists(Storage.join(root, ".tmp/deleted/" + below))
          && !storage.exists(Storage.join(root, ".tmp/data/" + below))
          && !storage.exists(Storage.join(root, "mobdir/data/" + below));
    }

    private boolean hasNoFilesBelow(String directory) throws IOException {
      for (Storage.FileInfo entry : storage.list(directory)) {
        if (entry.directory() ? !hasNoFilesBelow(entry.path()) : !isHidden(entry)) {
          return false;
        }
      }
      return true;
    }

    /** Returns whether there is no file. */
    private boolean cleanFamily(
        String data, TableName table, String region, Storage.FileInfo family) throws IOException {
      StoreDirectory store = new StoreDirectory(data, table, region, family.name());
      boolean empty = true;
      for (Storage.FileInfo file : storage.list(family.path())) {
        if (!file.directory() && !isHidden(file)) {
          empty = false;
          consider(store, file);
        } else if (file.name().startsWith(LINKS_PREFIX)) {
          empty &= cleanBackReferences(store, file);
        }
      }
      return empty;
    }

    private void consider(StoreDirectory store, Storage.FileInfo file) throws IOException {
      String links = store.backReferences(file.name());
      if (markSeen(file.path()) && hasNoFiles(links)) {
        candidates.add(new Candidate(store.table(), store.archive(), file.name(), links));
      }
    }

    private boolean hasNoFiles(String directory) throws IOException {
      return storage.list(directory).stream().allMatch(HFileCleaner::isHidden);
    }

    private void delete(String directory, String name) throws IOException {
      storage.delete(directory + "/" + name);
      storage.delete(directory + "/." + name + ".crc");
      seen.remove(directory + "/" + name);
    }

    /** Deletes the back references whose links are gone; returns whether none is left. */
    private boolean cleanBackReferences(StoreDirectory store, Storage.FileInfo links)
        throws IOException {
      String hfile = links.name().substring(LINKS_PREFIX.length());
      boolean empty = true;
      for (Storage.FileInfo reference : storage.list(links.path())) {
        if (isHidden(reference)) {
          continue;
        }
        Optional<StoreDirectory> user = user(store, reference.name());
        String link = new StoreFileName.Link(store.table(), store.region(), hfile).text();
        if (user.isPresent() && markSeen(reference.path()) && !isInUse(user.get(), link)) {
          delete(links.path(), reference.name());
        } else {
          empty = false;
        }
      }
      return empty;
    }

    /** A link or a reference, with its target. */
    private boolean isInUse(StoreDirectory user, String link) throws IOException {
      for (String place : user.linkTargets(link)) {
        if (!place.equals(user.archivedFile(link)) && storage.exists(place)) {
          return true;
        }
      }
      return false;
    }

    /**
     * Records that a file or directory exists; returns whether it was first seen long enough ago.
     */
    private boolean markSeen(String path) {
      long since = firstSeen.getOrDefault(path, now);
      seen.put(path, since);
      return now - since >= keepMillis;
    }
  }

  private record Candidate(TableName table, String directory, String name, String links) {}

  /** Hadoop's local file system keeps a checksum file {@code .name.crc} for each file. */
  private static boolean isHidden(Storage.FileInfo file) {
    return file.name().startsWith(".");
  }

  /** Returns the store of a back reference; empty if its name is malformed. */
  private static Optional<StoreDirectory> user(StoreDirectory store, String name) {
    int dot = name.indexOf('.');
    if (dot <= 0) {
      return Optional.empty();
    }
    try {
      TableName table = TableName.parse(name.substring(dot + 1).replace('=', ':'));
      return Optional.of(store.inRegion(table, name.substring(0, dot)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns the names of all HFiles that a link or reference in some table leads to. */
  private Set<String> linked(String root) throws IOException {
    Set<String> names = new HashSet<>();
    for (String place : List.of("data", ".tmp/data", "mobdir/data")) {
      for (Storage.FileInfo namespace : directories(Storage.join(root, place))) {
        for (Storage.FileInfo table : directories(namespace.path())) {
          for (Storage.FileInfo region : directories(table.path())) {
            for (Storage.FileInfo family : directories(region.path())) {
              for (Storage.FileInfo file : storage.list(family.path())) {
                StoreFileName name = StoreFileName.parse(file.name());
                if (!(name instanceof StoreFileName.Plain)) {
                  names.add(name.hfile());
                }
              }
            }
          }
        }
      }
    }
    return names;
  }

  private List<Storage.FileInfo> directories(String path) throws IOException {
    return storage.list(path).stream().filter(Storage.FileInfo::directory).toList();
  }
}
