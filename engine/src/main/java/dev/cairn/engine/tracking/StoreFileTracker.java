package dev.cairn.engine.tracking;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Knows which files in the directory of one store count. After a crash at any moment {@link #load}
 * returns the files of the last update that returned, or those of an update that was cut off,
 * whole. Thread-safe; updates wait for each other.
 *
 * <p>{@link #load} comes first, then {@link #begin} by the one who opens the store, then updates.
 */
public interface StoreFileTracker {
  /** The directory of lists in a store's directory. */
  String LISTS = ".filelist";

  /**
   * Returns a tracker.
   *
   * @param directory the store's directory, in {@code storage}
   */
  static StoreFileTracker of(
      StoreFileTracking tracking, Storage storage, Clock clock, String directory) {
    DirectoryTracker all = new DirectoryTracker(storage, directory);
    if (tracking.equals(StoreFileTracking.DEFAULT)) {
      return all;
    }
    ListTracker listed = new ListTracker(storage, clock, directory);
    if (!tracking.isMigration()) {
      return listed;
    }
    return new MigratingTracker(
        tracking.source() == StoreFileTracking.Kind.DEFAULT ? all : listed, listed);
  }

  /** Returns the files that count. Changes nothing. */
  List<TrackedFile> load() throws IOException;

  /**
   * Takes over the store: {@code files} count from now on, and no update of an earlier owner has an
   * effect any more. Archives files that do not count.
   */
  void begin(List<TrackedFile> files) throws IOException;

  /**
   * Tells whether new files are written under their final names; else beside the data, from where a
   * rename brings them into the directory.
   */
  boolean writesInPlace();

  /** Makes a file, which lies in the directory, count in place of {@code replaced} ones. */
  void publish(TrackedFile file, Set<String> replaced) throws IOException;

  /** Makes files no longer count. */
  void drop(Set<String> files) throws IOException;

  /**
   * Undoes an update that failed, which may have happened all the same. To be called before the
   * file of that update is deleted.
   */
  void settle() throws IOException;
}
