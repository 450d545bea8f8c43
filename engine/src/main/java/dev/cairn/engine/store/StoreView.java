package dev.cairn.engine.store;

import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.memory.ObjectPool;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.SourceFacts;
import dev.cairn.engine.scan.SourceMetrics;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The memstore segments and files of a store at one moment. Thread-safe.
 *
 * <p>A view counts its users: the store, while the view is current, and every read that began with
 * it. Its files stay open as long as it has users.
 *
 * <p>The sets of segments and files never change. If reads still use a view when a flush has
 * written its segments to a file, the view gets a successor, in which the file replaces those
 * segments. A long scan continues in the successor ({@link #latest}), so that it does not keep the
 * segments in memory.
 */
public final class StoreView implements StoreSource.Everything {
  private final List<MemStoreSegment> segments;
  private final List<StoreFile> files;
  private final boolean refersToMobFiles;
  private final long flushedSequence;
  private final AtomicInteger users = new AtomicInteger(1);
  private final ObjectPool<ViewCursors> cursors;
  private final Consumer<StoreView> whenUnused;
  private volatile StoreView successor;

  /**
   * Creates a view with the store as its first user.
   *
   * @param segments the active segment, then the segments that wait for a flush, newest first; a
   *     successor may have none
   * @param files the store files by ascending sequence number
   * @param clock measures reads from files
   * @param whenUnused called once the view has no more users
   */
  StoreView(
      List<MemStoreSegment> segments,
      List<StoreFile> files,
      Clock clock,
      Consumer<StoreView> whenUnused) {
    this.segments = List.copyOf(segments);
    this.files = List.copyOf(files);
    this.refersToMobFiles = files.stream().anyMatch(file -> !file.mobFiles().isEmpty());
    this.flushedSequence = files.stream().mapToLong(StoreFile::flushedSequence).max().orElse(0);
    this.cursors =
        new ObjectPool<>(
            () -> new ViewCursors(this, SourceMetrics.counting(new ReadMetrics(clock))));
    this.whenUnused = whenUnused;
    this.files.forEach(StoreFile::retain);
  }

  /** Returns the memstore segments, the active one first. A successor may have none. */
  public List<MemStoreSegment> segments() {
    return segments;
  }

  /** Returns the segment that takes writes. Only for a store's current view. */
  public MemStoreSegment active() {
    return segments.get(0);
  }

  /** Returns the segments that wait for a flush. Only for a store's current view. */
  public List<MemStoreSegment> frozen() {
    return segments.subList(1, segments.size());
  }

  /** Returns the store files by ascending sequence number. */
  public List<StoreFile> files() {
    return files;
  }

  /**
   * Returns the sequence number up to which all writes are in store files, 0 if there are none. A
   * replay asks for it with each cell.
   */
  long flushedSequence() {
    return flushedSequence;
  }

  /** Tells whether store files say that values of theirs lie in MOB files. */
  public boolean refersToMobFiles() {
    return refersToMobFiles;
  }

  /** Tells whether a file may have cells above a read point. */
  boolean hasNewer(long readPoint) {
    for (StoreFile file : files) {
      if (file.maxCellSequence() > readPoint) {
        return true;
      }
    }
    return false;
  }

  @Override
  public List<StoreSource.Holder> openAll() {
    List<StoreSource.Holder> all = new ArrayList<>();
    for (MemStoreSegment segment : segments) {
      SourceFacts facts =
          new SourceFacts(
              "",
              segment != active(),
              segment.cellCount(),
              segment.dataSize(),
              segment.minTimestamp(),
              segment.maxTimestamp(),
              Optional.empty(),
              Optional.empty(),
              "NONE");
      all.add(new StoreSource.Holder(facts, segment.cursor(Long.MAX_VALUE)));
    }
    for (int i = files.size() - 1; i >= 0; i--) {
      all.add(new StoreSource.Holder(files.get(i).facts(), files.get(i).cursor(false)));
    }
    return all;
  }

  /** Returns cursors for exclusive use until they are given back. */
  public ViewCursors takeCursors() {
    return cursors.take();
  }

  /** Takes cursors of this view back, which are closed, for the next read. */
  void giveCursors(ViewCursors closed) {
    cursors.give(closed);
  }

  /**
   * Adds a user, unless the view has none any more; then its files may be gone and false is
   * returned.
   */
  public boolean tryRetain() {
    int now = users.get();
    while (now > 0) {
      if (users.compareAndSet(now, now + 1)) {
        return true;
      }
      now = users.get();
    }
    return false;
  }

  /** Counts one user less. */
  public void release() {
    if (users.decrementAndGet() == 0) {
      files.forEach(StoreFile::release);
      if (successor != null) {
        successor.release();
      }
      whenUnused.accept(this);
    }
  }

  /**
   * Tells whether a flush has written segments of this view, so that {@link #latest} returns
   * another view.
   */
  public boolean hasSuccessor() {
    return successor != null;
  }

  /**
   * Moves one user of this view to its last successor; keeps it if there is no successor.
   *
   * @return the view that the caller now uses instead of this one
   */
  public StoreView latest() {
    StoreView last = this;
    while (last.successor != null) {
      StoreView next = last.successor; // in use: its predecessor is in use
      next.users.incrementAndGet();
      last.release();
      last = next;
    }
    return last;
  }

  /**
   * Sets the view's successor, once. The caller is a user of this view.
   *
   * @param next a new view; this view becomes its first user
   */
  void succeedBy(StoreView next) {
    successor = next;
  }
}
