package dev.cairn.engine.tracking;

import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tracks which files in a store's directory belong to the store. Updates are atomic: after a crash,
 * {@link #load} returns the files of the last update that returned, or all files of the interrupted
 * one. Thread-safe; updates wait for each other.
 *
 * <p>The opener of the store calls {@link #load} first, then {@link #begin}, then updates.
 */
public interface StoreFileTracker {
  /** The directory of the lists, within a store's directory. */
  String LISTS = ".filelist";

  /** Returns a tracker of a store that no server has open. */
  static StoreFileTracker of(
      StoreFileTracking tracking, Storage storage, Clock clock, String directory) {
    return of(tracking, storage, clock, directory, Optional.empty());
  }

  /**
   * Returns a tracker.
   *
   * @param directory the store's directory, in {@code storage}
   * @param scratch where the region's owner writes what records its updates; empty if no server has
   *     the region open
   */
  static StoreFileTracker of(
      StoreFileTracking tracking,
      Storage storage,
      Clock clock,
      String directory,
      Optional<ScratchDirectory> scratch) {
    DirectoryTracker all = new DirectoryTracker(storage, directory, scratch);
    if (tracking.equals(StoreFileTracking.DEFAULT)) {
      return all;
    }
    ListTracker listed = new ListTracker(storage, clock, directory, scratch);
    if (!tracking.isMigration()) {
      return listed;
    }
    return new MigratingTracker(
        tracking.source() == StoreFileTracking.Kind.DEFAULT ? all : listed, all, listed);
  }

  /**
   * Returns the files in the list of a store whose tracker is FILE, for tools. Changes nothing.
   *
   * @param directory the store's directory, in {@code storage}
   */
  static List<TrackedFile> listed(Storage storage, String directory) throws IOException {
    return new ListTracker(storage, Clock.SYSTEM, directory, Optional.empty())
        .load(); // does not use the clock
  }

  /** Returns the store's files. Changes nothing. */
  List<TrackedFile> load() throws IOException;

  /**
   * Takes over the store with {@code files} as its files. Updates by an earlier owner have no
   * effect from now on. Archives all other files that were there before.
   */
  void begin(List<TrackedFile> files) throws IOException;

  /**
   * Tells whether new files are written under their final names. If not, they are written
   * elsewhere, and a rename moves them into the directory.
   */
  boolean writesInPlace();

  /** Publishes a file in the directory, and drops the {@code replaced} files. */
  void publish(TrackedFile file, Set<String> replaced) throws IOException;

  /**
   * Drops files from the store. They may stay in the directory, but never belong to the store
   * again. The caller may archive them at any later time, even if another owner has taken over by
   * then.
   *
   * @throws IOException also if another owner has taken over; any of the files may be in its store
   */
  void drop(Set<String> files) throws IOException;

  /** Takes back the publication of a file, which is moved away next. It may come back later. */
  void reject(String file) throws IOException;

  /**
   * Undoes a failed update, which may have taken effect. Must be called before the file of that
   * update is deleted.
   */
  void settle() throws IOException;

  /**
   * A file of a store.
   *
   * @param name its name within the store's directory
   * @param length its length in bytes; for a reference, an estimate
   */
  record TrackedFile(String name, long length) {}
}
