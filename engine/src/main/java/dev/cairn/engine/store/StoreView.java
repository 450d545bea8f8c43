package dev.cairn.engine.store;

import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.SourceTrace;
import dev.cairn.engine.scan.Spares;
import dev.cairn.engine.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a store consists of at one moment. Immutable but for the count of its users: the store
 * itself while the view is the current one, and every scan that began with it. Files of a view stay
 * open as long as it has users.
 */
public final class StoreView {
  private final List<MemStoreSegment> segments;
  private final List<StoreFile> files;
  private final boolean refersToMobFiles;
  private final AtomicInteger users = new AtomicInteger(1);
  private final Spares<ViewCursors> cursors;

  /**
   * Creates a view with the store as its first user.
   *
   * @param segments the active segment first, then those that wait for a flush, newest first
   * @param files the store files by ascending sequence number
   * @param clock says how long reading from files takes
   */
  StoreView(List<MemStoreSegment> segments, List<StoreFile> files, Clock clock) {
    this.segments = List.copyOf(segments);
    this.files = List.copyOf(files);
    this.refersToMobFiles = files.stream().anyMatch(file -> !file.mobFiles().isEmpty());
    this.cursors = new Spares<>(() -> new ViewCursors(this, SourceTrace.separate(clock)));
    this.files.forEach(StoreFile::retain);
  }

  /** Returns the memstore segments: the active one first. */
  public List<MemStoreSegment> segments() {
    return segments;
  }

  /** Returns the segment that takes writes. */
  public MemStoreSegment active() {
    return segments.get(0);
  }

  /** Returns the segments that wait for a flush. */
  public List<MemStoreSegment> frozen() {
    return segments.subList(1, segments.size());
  }

  /** Returns the store files by ascending sequence number. */
  public List<StoreFile> files() {
    return files;
  }

  /** Tells whether store files say that values of theirs lie in MOB files. */
  public boolean refersToMobFiles() {
    return refersToMobFiles;
  }

  /** Returns cursors that nobody else uses until they are given back. */
  public ViewCursors takeCursors() {
    return cursors.take();
  }

  /** Takes cursors of this view back, which are closed, for the next read. */
  public void giveCursors(ViewCursors closed) {
    cursors.give(closed);
  }

  /**
   * Counts one more user, unless the view has none any more; then its files may be gone and false
   * is returned.
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
    }
  }
}
