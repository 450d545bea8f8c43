package dev.cairn.engine.store;

import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a store that another server owns. The store has the files that it had at the last {@link
 * #look}, and in memory the cells that its user adds. Changes nothing in storage.
 *
 * <p>One thread at a time looks. One thread at a time, which may be another, uses the memory and
 * its numbers, and shows the files that were found.
 */
public final class StoreFollower implements Closeable {
  /** The most listings of one look, if the owner adds files meanwhile. */
  private static final int LOADS_MAX = 5;

  private final Store store;
  private final String home;
  private List<TrackedFile> listed;
  private long flushedSequence;

  /**
   * Creates it.
   *
   * @param store has the files of {@code listed}
   * @param home the store's directory
   */
  StoreFollower(Store store, String home, List<TrackedFile> listed) {
    this.store = store;
    this.home = home;
    this.listed = listed;
    this.flushedSequence = flushedIn(store.view().files());
  }

  private static long flushedIn(List<StoreFile> files) {
    return files.stream().mapToLong(StoreFile::flushedSequence).max().orElse(0);
  }

  /**
   * Returns the number up to which all cells of the store are in its files. Its user need not add
   * them.
   */
  public long flushedSequence() {
    return flushedSequence;
  }

  /** Notes that all cells up to a number are in the files that the store shows. */
  public void flushedUpTo(long sequence) {
    flushedSequence = Math.max(flushedSequence, sequence);
  }

  /** Lowers the number: higher numbers of an earlier owner were never durable. */
  public void capFlushed(long sequence) {
    flushedSequence = Math.min(flushedSequence, sequence);
  }

  /** Drops the memory whose cells are all in files. */
  public void dropFlushed() {
    store.showOnly(store.view().files(), flushedSequence);
  }

  /** Returns the store, for reads. */
  public Store store() {
    return store;
  }

  /**
   * Opens the files that the owner has added since the last look. Returns what has changed, which
   * the caller closes; empty if nothing has.
   */
  public Optional<News> look() throws IOException {
    if (store.tracker().load().equals(listed)) {
      return Optional.empty();
    }
    StoreView before = store.pin();
    boolean loaded = false;
    try {
      Map<String, StoreFile> open = new HashMap<>();
      before.files().forEach(file -> open.put(file.name(), file));
      StoreFiles.Loaded now = load(open);
      // Some file systems may omit from a listing both a file that was just moved away and the
      // one that replaced it. The next listing has the latter.
      for (int i = 1; i < LOADS_MAX && !isListed(now); i++) {
        now.close();
        now = load(open);
      }
      loaded = true;
      return Optional.of(new News(before, now));
    } finally {
      if (!loaded) {
        before.release();
      }
    }
  }

  /** Tells whether the store still has these files; closes them if that cannot be found out. */
  private boolean isListed(StoreFiles.Loaded files) throws IOException {
    boolean known = false;
    try {
      boolean listed = store.tracker().load().equals(files.listed());
      known = true;
      return listed;
    } finally {
      if (!known) {
        files.close();
      }
    }
  }

  private StoreFiles.Loaded load(Map<String, StoreFile> open) throws IOException {
    return StoreFiles.load(store.context(), store.tracker(), home, store.comparator(), open);
  }

  /** The files of the store at one look. */
  public final class News implements Closeable {
    private final StoreView before;
    private final StoreFiles.Loaded now;

    private News(StoreView before, StoreFiles.Loaded now) {
      this.before = before;
      this.now = now;
    }

    /** Returns the highest sequence number of a cell in the files, 0 if there are none. */
    public long maxCellSequence() {
      return now.maxCellSequence();
    }

    /**
     * Lets reads see the files, in place of the memory whose cells are all in them. Opens and
     * closes none.
     */
    public void show() {
      flushedUpTo(flushedIn(now.files()));
      store.showOnly(now.files(), flushedSequence);
      listed = now.listed();
    }

    /** Closes the files that neither the store nor a read uses. */
    @Override
    public void close() {
      now.close();
      before.release();
    }
  }

  /** Closes the store. */
  @Override
  public void close() {
    store.close();
  }
}
