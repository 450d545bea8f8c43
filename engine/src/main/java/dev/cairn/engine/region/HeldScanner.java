package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanLimits;
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
 * A scan that may be left alone between two calls. It ends with its region: after that has closed,
 * another server may have newer rows.
 *
 * <p><b>Flushes.</b> The scan uses views of the stores. When a flush has written a view's memory to
 * a file, the scan goes on in the view's successor, at the same place and read point, and returns
 * what it would have returned otherwise. Between two calls it moves at once, so that a scan that is
 * left alone keeps no flushed memory. During a call it moves at the end of the row, or of the call.
 * Until then the memory counts in {@link Store#flushedBytesInUse}.
 *
 * <p><b>Threads.</b> One call at a time, from any thread. The lock keeps flushes away from a
 * running call. Flushes only try to take it, and hold it without any I/O.
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

  // All guarded by the lock.
  private final StoreView[] views;
  private long readPoint;
  private boolean attached;
  private boolean closed;

  /**
   * Creates a scan that has not begun.
   *
   * @param reading reads for this scan alone; the scan releases its views
   * @param wanted the views' stores
   * @param scans where the scan is to be entered; it leaves when it is closed
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
   * Begins to read.
   *
   * @param entering enters the scan, pins its views and returns its read point
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
   * Takes over what {@code reading} has begun to read from memory. From now on files are read, too.
   *
   * @param entering enters the scan and pins its views, or tells that it cannot
   * @return whether it was entered; if not, the reading is as before
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
    reading.scanner().tell(this::rowEnded);
    readPoint = point;
    attached = true;
  }

  @Override
  public ScanProgress next(CellBuffer out, ScanLimits limits) throws IOException {
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
  public ScanProgress nextRows(CellBuffer out, RowSizes rows, int rowsMax, ScanLimits limits)
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

  /** Ends a call; one that failed ends the scan, whose place is not known then. */
  private void leave(boolean done) {
    try {
      if (!done) {
        end();
      }
    } finally {
      unlock();
    }
  }

  /** Lets go of memory that a flush has written to files: at once, or soon if a call runs. */
  void releaseFlushed() {
    flushed = true;
    releaseIfFree();
  }

  private void unlock() {
    lock.unlock();
    releaseIfFree();
  }

  /** Every holder of the lock calls this after unlocking, so flushes need not wait for the lock. */
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
  public void rest() {
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
        if (view != null) { // none is pinned if the scan could not be entered
          view.release();
        }
      }
      reading.forget();
      scans.leave(this);
    }
  }
}
