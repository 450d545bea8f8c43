package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreView;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * A scan that may stay idle between two calls. It ends when its region closes, because another
 * server may then write newer rows.
 *
 * <p><b>Flushes.</b> The scan reads views of the stores. After a flush has written a view's memory
 * to a file, the scan continues in the view's successor, at the same place and read point; its
 * results do not change. An idle scan moves at once, so it keeps no flushed memory. A running call
 * moves at the end of the row or of the call. Until then {@link Store#flushedBytesInUse} counts the
 * memory.
 *
 * <p><b>Threads.</b> One call at a time, from any thread. The lock keeps flushes from moving the
 * scan during a call. Flushes never wait for the lock, and do no I/O while they hold it. To move
 * closes no file, because a successor has all files of the view before it. So network threads may
 * unlock. Only {@link #close} and a failed call may close and archive files.
 */
final class HeldScanner implements RegionScanner {
  private final RowReading reading;
  private final List<Store> wanted;
  private final ScanRequest request;
  private final OpenScans scans;
  private final RegionGate gate;
  private final ReentrantLock lock = new ReentrantLock();

  /** Whether a flush has ended since the scan last looked for successors of its views. */
  private volatile boolean flushed;

  // The fields below are guarded by the lock.
  private final StoreView[] views;
  private long readPoint;
  private boolean attached;
  private boolean closed;

  /**
   * Creates a scan; {@link #begin} starts it.
   *
   * @param reading used by this scan only; the scan releases its views
   * @param wanted the views' stores
   * @param scans the registry of the scan, which leaves it on close
   */
  HeldScanner(
      RowReading reading,
      List<Store> wanted,
      ScanRequest request,
      OpenScans scans,
      RegionGate gate) {
    this.reading = reading;
    this.wanted = wanted;
    this.request = request;
    this.scans = scans;
    this.gate = gate;
    this.views = reading.views(wanted.size());
  }

  /**
   * Starts the scan.
   *
   * @param entering registers the scan, pins its views and returns its read point
   */
  void begin(LongSupplier entering) throws IOException {
    lock.lock();
    boolean done = false;
    try {
      long point = entering.getAsLong();
      reading.begin(wanted, request, point, false);
      go(point);
      done = true;
    } finally {
      leave(done);
    }
  }

  /**
   * Continues a scan that {@code reading} started in memory. From now on it reads files, too.
   *
   * @param entering registers the scan and pins its views; returns false if it cannot
   * @return whether it was registered; if not, {@code reading} is unchanged
   */
  boolean takeOver(BooleanSupplier entering) {
    lock.lock();
    try {
      closed = !entering.getAsBoolean();
      if (!closed) {
        reading.allowFiles();
        go(reading.scanner().readPoint());
      }
      return !closed;
    } finally {
      unlock();
    }
  }

  private void go(long point) {
    reading.scanner().setRowEndListener(this::rowEnded);
    readPoint = point;
    attached = true;
  }

  @Override
  public ScanProgress next(CellBuffer out, ReadBudget limits) throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      boolean done = false;
      lock.lock();
      try {
        attach();
        ScanProgress progress = reading.scanner().next(out, limits);
        done = true;
        return progress;
      } finally {
        leave(done);
      }
    }
  }

  @Override
  public ScanProgress nextRows(CellBuffer out, RowSizes rows, int rowsMax, ReadBudget limits)
      throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      boolean done = false;
      lock.lock();
      try {
        attach();
        ScanProgress progress = reading.scanner().nextRows(out, rows, rowsMax, limits);
        done = true;
        return progress;
      } finally {
        leave(done);
      }
    }
  }

  @Override
  public boolean hasMoreRows() throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      boolean done = false;
      lock.lock();
      try {
        attach();
        boolean more = reading.scanner().hasMoreRows();
        done = true;
        return more;
      } finally {
        leave(done);
      }
    }
  }

  private void rowEnded() throws IOException {
    if (flushed) {
      flushed = false;
      moveOn();
      attach();
    }
  }

  private void attach() throws IOException {
    if (!attached && !closed) {
      reading.attach(wanted, request, readPoint);
      attached = true;
    }
  }

  /** Ends a call. A failed call leaves the scan's place unknown, so it ends the scan. */
  private void leave(boolean done) {
    try {
      if (!done) {
        end();
      }
    } finally {
      unlock();
    }
  }

  /** Releases memory that a flush has written to files: at once, or soon if a call runs. */
  void releaseFlushed() {
    flushed = true;
    releaseIfFree();
  }

  private void unlock() {
    lock.unlock();
    releaseIfFree();
  }

  /**
   * Releases flushed memory if nobody holds the lock. Every holder calls this after unlocking, so
   * flushes need not wait for the lock.
   */
  private void releaseIfFree() {
    while (flushed && !lock.isHeldByCurrentThread() && lock.tryLock()) {
      try {
        flushed = false;
        if (!closed) {
          moveOn();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void suspend() {
    if (lock.tryLock()) {
      try {
        detach();
      } finally {
        unlock();
      }
    }
  }

  private void detach() {
    if (attached && !closed) {
      reading.detach();
      attached = false;
    }
  }

  private void moveOn() {
    for (int i = 0; i < views.length; i++) {
      if (views[i].hasSuccessor()) {
        detach();
        views[i] = views[i].latest();
      }
    }
  }

  @Override
  public long readPoint() {
    return reading.scanner().readPoint();
  }

  @Override
  public ScanStatistics statistics() {
    lock.lock();
    try {
      return reading.scanner().statistics();
    } finally {
      unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      end();
    } finally {
      unlock();
    }
  }

  private void end() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      reading.end();
    } finally {
      for (StoreView view : views) {
        if (view != null) { // null if the scan could not be registered
          view.release();
        }
      }
      reading.forget();
      scans.leave(this);
    }
  }
}
