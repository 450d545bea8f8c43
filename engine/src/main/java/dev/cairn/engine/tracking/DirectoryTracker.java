package dev.cairn.engine.tracking;

import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes all files in the directory as the store's; HBase's tracker {@code DEFAULT}.
 *
 * <pre>
 *   .dropped-name    an empty file: the store file "name" was dropped and is to be archived
 * </pre>
 *
 * <p>The owner that drops a file archives it after the last scan of it. Until then, the mark tells
 * the next owner that the file is dropped. An owner publishes marks from its scratch directory, so
 * an earlier owner can mark nothing. HBase ignores the marks, and drops the files again.
 */
final class DirectoryTracker implements StoreFileTracker {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryTracker.class);
  private static final String MARK = ".dropped-";

  private final Storage storage;
  private final String directory;
  private final Optional<ScratchDirectory> scratch;

  /** The dropped files that the latest {@link #load} has found. */
  private volatile Set<String> left = Set.of();

  /** The files that this owner has dropped. Guarded by itself, during I/O, too. */
  private final Set<String> marked = new HashSet<>();

  DirectoryTracker(Storage storage, String directory, Optional<ScratchDirectory> scratch) {
    this.storage = storage;
    this.directory = directory;
    this.scratch = scratch;
  }

  @Override
  public List<TrackedFile> load() throws IOException {
    List<Storage.FileInfo> present = storage.list(directory);
    Set<String> dropped = dropped(present);
    left = dropped;
    List<TrackedFile> files = new ArrayList<>(storeFiles(present));
    files.removeIf(file -> dropped.contains(file.name()));
    return files;
  }

  /** Returns all store files in a directory, also those that were dropped. */
  static List<TrackedFile> storeFiles(Storage storage, String directory) throws IOException {
    return storeFiles(storage.list(directory));
  }

  private static List<TrackedFile> storeFiles(List<Storage.FileInfo> present) {
    return present.stream()
        .filter(file -> !file.directory())
        .filter(file -> !file.name().startsWith(".") && !file.name().startsWith("_"))
        .map(file -> new TrackedFile(file.name(), file.length()))
        .toList();
  }

  private static Set<String> dropped(List<Storage.FileInfo> present) {
    Set<String> dropped = new HashSet<>();
    for (Storage.FileInfo file : present) {
      if (file.name().startsWith(MARK)) {
        dropped.add(file.name().substring(MARK.length()));
      }
    }
    return dropped;
  }

  private String mark(String file) {
    return Storage.join(directory, MARK + file);
  }

  /**
   * Deletes the list that another tracker left, because an outdated list must never be used again.
   * Archives the files that earlier owners have dropped, as {@link #load} has found them.
   */
  @Override
  public void begin(List<TrackedFile> files) throws IOException {
    String lists = Storage.join(directory, LISTS);
    if (storage.exists(lists)) {
      storage.delete(lists);
    }
    for (String file : left) {
      LOG.info("Archiving {}, which was dropped before", Storage.join(directory, file));
      new HFileArchive(storage).archive(StoreDirectory.parse(directory), file);
      storage.delete(mark(file));
    }
    left = Set.of();
  }

  @Override
  public boolean writesInPlace() {
    return false;
  }

  @Override
  public void publish(TrackedFile file, Set<String> replaced) {}

  @Override
  public void drop(Set<String> files) throws IOException {
    ScratchDirectory owner = scratch.orElseThrow();
    synchronized (marked) {
      for (Iterator<String> all = marked.iterator(); all.hasNext(); ) {
        String earlier = all.next();
        if (!storage.exists(Storage.join(directory, earlier))) {
          storage.delete(mark(earlier));
          all.remove();
        }
      }
      for (String file : files) {
        owner.writeAll(mark(file), new byte[0]);
        marked.add(file);
      }
    }
  }

  @Override
  public void reject(String file) {}

  @Override
  public void settle() {}
}
