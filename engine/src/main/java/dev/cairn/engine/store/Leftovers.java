package dev.cairn.engine.store;

import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.tracking.StoreFileTracker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The files in a store's directory that do not count and could not be removed yet:
 *
 * <ul>
 *   <li>Strays. A file whose rename or first opening fails may be in place although the store does
 *       not list it. Left there, it would come back to life at the next opening, with cells whose
 *       delete markers are gone by then. So it is deleted; while that fails, no other file is
 *       written.
 *   <li>Replaced files that could not be archived. They do no harm, because the results of
 *       compactions name them, but they take space.
 * </ul>
 *
 * <p>The periodic check for compactions removes them ({@link #remove}), and the next opening of the
 * region sweeps the rest. Thread-safe.
 */
final class Leftovers {
  private final StoreFileTracker tracker;
  private final ScratchDirectory scratch;
  private final Set<String> strays = new LinkedHashSet<>(); // guarded by itself
  private final Queue<StoreFile> unarchived = new ConcurrentLinkedQueue<>();
  private volatile boolean hasStrays;

  Leftovers(StoreFileTracker tracker, ScratchDirectory scratch) {
    this.tracker = tracker;
    this.scratch = scratch;
  }

  /** Tells whether there is nothing to remove. */
  boolean isEmpty() {
    return !hasStrays && unarchived.isEmpty();
  }

  /** Adds a file that may be in place and is not part of the store. */
  void addStray(String path) {
    synchronized (strays) {
      strays.add(path);
      hasStrays = true;
    }
  }

  /** Adds a replaced, unused file that could not be archived. */
  void addUnarchived(StoreFile file) {
    unarchived.add(file);
  }

  /**
   * Deletes the strays, and archives the replaced files. One that still cannot be archived stays
   * for the next time.
   *
   * @throws IOException if a stray cannot be deleted, or if another owner has taken over
   */
  void remove() throws IOException {
    if (isEmpty()) {
      return;
    }
    scratch.check();
    deleteStrays();
    List<StoreFile> files = new ArrayList<>();
    for (StoreFile file = unarchived.poll(); file != null; file = unarchived.poll()) {
      files.add(file);
    }
    files.forEach(StoreFile::archive);
  }

  /** Deletes the strays. No other file may be written before. */
  void deleteStrays() throws IOException {
    synchronized (strays) {
      if (!strays.isEmpty()) {
        tracker.settle(); // before the files go that it may name
      }
      for (Iterator<String> all = strays.iterator(); all.hasNext(); ) {
        String path = all.next();
        try {
          scratch.withdraw(path);
        } catch (IOException e) {
          throw new IOException(
              "Cannot remove "
                  + path
                  + ", which a failed flush or compaction left; no store file is written before"
                  + " it is gone",
              e);
        }
        all.remove();
      }
      hasStrays = false;
    }
  }
}
