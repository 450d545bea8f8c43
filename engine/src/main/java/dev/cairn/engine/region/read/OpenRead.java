package dev.cairn.engine.region.read;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.cursor.FileAccess.NotInMemoryException;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.RegionRead.ReadStoppedException;
import dev.cairn.engine.scan.RowSet;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.scan.retention.ReadHorizon;
import dev.cairn.engine.scan.row.RowScanner;
import dev.cairn.engine.store.Store;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads a region, from its begin to its close.
 *
 * <p><b>Free reads.</b> A read that must not wait, or that is over after one call, begins free: it
 * pins no view and is registered nowhere. So it releases no pin at its end; the last release of a
 * pin may close and archive a file. It is inside the gate from its begin to its end. If it needs a
 * file and may wait, it pins its views then. If files may be closed by that time, it starts over,
 * because it has returned nothing yet.
 *
 * <p><b>Held reads.</b> A held read has pinned its views, is registered, and is inside the gate
 * during calls only. It ends when its region closes, because another server may then write newer
 * rows. Reads of several calls that may wait are held from the beginning. After a flush during a
 * long call, a free read could no longer become a held one, and the work of the call would be lost.
 *
 * <p><b>Flushes.</b> A held read reads views of the stores. After a flush has written a view's
 * memory to a file, the read continues in the view's successor, at the same place and read point;
 * its results do not change. An idle read moves at once, so it keeps no flushed memory. A running
 * call moves at the end of the row or of the call. Until then {@link Store#flushedBytesInUse}
 * counts the memory. A read whose observer needs the same sources does not move.
 *
 * <p><b>Threads.</b> One call at a time. If the read is held, each call may come from another
 * thread. The lock keeps flushes from moving a held read during a call. Flushes never wait for the
 * lock, and do no I/O while they hold it. A move closes no file, because a successor has all files
 * of its predecessor. So network threads may unlock. Only {@link #close} and a failed call may
 * close and archive files.
 */
final class OpenRead implements RegionRead {
  /** The kinds of calls. */
  private enum Wish {
    ROW,
    ROWS,
    PEEK
  }

  private static final CellBuffer NO_CELLS = new CellBuffer(0, 0);
  private static final RowSizes NO_ROWS = new RowSizes();

  private final RegionReader region;
  private final RowReading reading;
  private final ScanRequest request;
  private final RegionGate.Visit visit;
  private long readPoint;

  private boolean held;

  /** The memory of the rows that indexes have given to a held read. */
  private Optional<RowsLoan> rowsLoan = Optional.empty();

  /** True if a call of a free read has returned something, so that it cannot start over. */
  private boolean advanced;

  /** True if a free read has lost its position. */
  private boolean lost;

  /** True if a flush has ended since the held read last looked for successors of its views. */
  private volatile boolean flushed;

  /** True if calls must end. A writer sets {@link #flushed} next, which each row checks. */
  private volatile boolean stopped;

  // Guarded by the reading's lock if the read is held.
  private boolean attached;
  private boolean closed;

  /**
   * Creates a read; {@link #begin} or {@link #beginHeld} starts it.
   *
   * @param region the region
   * @param reading the views, cursors and scanner, used by this read only; has the stores to read
   * @param visit ended when the read no longer keeps the region open
   */
  OpenRead(RegionReader region, RowReading reading, ScanRequest request, RegionGate.Visit visit) {
    this.region = region;
    this.reading = reading;
    this.request = request;
    this.visit = visit;
  }

  /** Starts a free read. If that fails, the read is closed. */
  void begin(ReadBudget budget) throws IOException {
    boolean done = false;
    try {
      ReadViews views = reading.views();
      reading.setMayWait(budget.mayWait());
      readPoint = region.look(views, request);
      boolean inMemory = views.haveOwnValues(request.mob());
      if (budget.mayWait() && (!inMemory || isHeard())) {
        readPoint = region.pin(views, request); // others cannot start over with it
      }
      if (budget.mayWait()) {
        open(budget);
      } else if (inMemory && isPlain()) {
        openAtOnce(budget);
      } else {
        lost = true;
      }
      done = true;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  /** Tells whether a free read can answer the request. */
  private boolean isPlain() {
    return request.observer().isEmpty() && request.resumedFrom().isEmpty();
  }

  /**
   * Begins a free read that must not wait. A read that would search indexes is lost, unless they
   * tell at once that it has no row.
   */
  private void openAtOnce(ReadBudget budget) throws IOException {
    Optional<RowCondition> sought = region.indexes().sought(request);
    if (sought.isPresent()) {
      openIfExcluded(sought.get(), budget);
    } else {
      open(budget);
    }
  }

  private void openIfExcluded(RowCondition sought, ReadBudget budget) throws IOException {
    ReadMetrics search = new ReadMetrics(region.clock());
    search.restart(reading);
    SearchBudget limits = searchBudget(budget);
    lost = !region.indexes().excludes(sought, request, reading.views(), limits, search);
    search.reportCached();
    if (!lost) {
      RowSet none = RowSet.of(region.comparator(), List.of());
      reading.begin(request, readPoint, Optional.of(none), search);
    }
  }

  /** Tells whether a filter or hooks learn of the rows that the read passes. */
  private boolean isHeard() {
    return request.filter().isPresent() || request.hooks() != ScanRequest.Hooks.NONE;
  }

  private void open(ReadBudget budget) throws IOException {
    try {
      reading.begin(request, readPoint);
    } catch (NotInMemoryException e) {
      if (budget.mayWait()) {
        startOver();
      } else {
        assert Marks.hit(ReadMark.FREE_READ_GIVES_UP);
        lost = true;
      }
    }
  }

  /** Begins again in pinned views, because files of the views have been closed. */
  private void startOver() throws IOException {
    if (advanced) {
      throw new IllegalStateException("A read that waits after its first call must be held");
    }
    assert Marks.hit(ReadMark.FREE_READ_STARTS_OVER);
    reading.close();
    readPoint = region.pin(reading.views(), request);
    reading.begin(request, readPoint);
  }

  /**
   * Starts a held read. If that fails, the read is closed. A search of indexes may take half of the
   * time until the budget's deadline.
   */
  void beginHeld(ReadBudget budget) throws IOException {
    boolean done = false;
    reading.lock().lock();
    try {
      held = true;
      readPoint = region.enter(this, request, reading.views());
      reading.setMayWait(true);
      if (region.indexes().mayAsk(request)) {
        ReadMetrics search = new ReadMetrics(region.clock());
        Optional<RowSet> rows =
            region.indexes().rows(request, reading.views(), searchBudget(budget), search);
        search.reportCached();
        reading.begin(request, readPoint, rows, search);
      } else {
        reading.begin(request, readPoint);
      }
      goOnHeld();
      done = true;
    } finally {
      leave(done);
    }
  }

  private SearchBudget searchBudget(ReadBudget budget) {
    long deadline = budget.deadlineNanos();
    if (deadline != Long.MAX_VALUE) {
      long now = region.clock().nanoTime();
      deadline = now + (deadline - now) / 2;
    }
    RowsLoan loan = new RowsLoan(region.indexes().memory());
    rowsLoan = Optional.of(loan);
    return new SearchBudget(
        region.clock(), deadline, this::checkStopped, loan, request.index() == IndexHint.ALWAYS);
  }

  @Override
  public boolean hold() {
    if (held || lost) {
      return held;
    }
    checkOpen();
    ReadHorizon begun = new ReadHorizon(readPoint, reading.scanner().nowMillis());
    reading.lock().lock();
    try {
      held = region.tryEnter(this, request, begun, reading.views());
      if (held) {
        assert Marks.hit(ReadMark.READ_HELD_LATER);
        reading.setMayWait(true);
        goOnHeld();
      }
      reading.reportCached();
    } finally {
      try {
        unlock();
      } finally {
        if (held) {
          visit.close(); // close() does not, because the read is held
        }
      }
    }
    return held;
  }

  private void goOnHeld() {
    reading.scanner().setRowEndListener(this::rowEnded);
    attached = true;
  }

  @Override
  public ScanProgress next(CellBuffer out, ReadBudget budget) throws IOException {
    return call(Wish.ROW, out, NO_ROWS, budget);
  }

  @Override
  public ScanProgress nextRows(CellBuffer out, RowSizes rows, ReadBudget budget)
      throws IOException {
    return call(Wish.ROWS, out, rows, budget);
  }

  @Override
  public ScanProgress peek(ReadBudget budget) throws IOException {
    return call(Wish.PEEK, NO_CELLS, NO_ROWS, budget);
  }

  private ScanProgress call(Wish wish, CellBuffer out, RowSizes rows, ReadBudget budget)
      throws IOException {
    if (!held) {
      return callFree(wish, out, rows, budget);
    }
    if (!budget.mayWait()) {
      return ScanProgress.WOULD_WAIT;
    }
    try (RegionGate.Visit inside = region.gate().enter()) {
      boolean done = false;
      reading.lock().lock();
      try {
        checkStopped();
        attach();
        ScanProgress progress = run(wish, out, rows, budget);
        done = true;
        return progress;
      } finally {
        leave(done);
      }
    }
  }

  @CompiledApart("reads rows of all families")
  private ScanProgress callFree(Wish wish, CellBuffer out, RowSizes rows, ReadBudget budget)
      throws IOException {
    checkOpen();
    if (lost) {
      return ScanProgress.WOULD_WAIT;
    }
    int cells = out.size();
    int bytes = out.byteSize();
    int complete = rows.size();
    boolean done = false;
    try {
      reading.setMayWait(budget.mayWait());
      ScanProgress progress = tryRun(wish, out, rows, budget);
      if (progress == ScanProgress.WOULD_WAIT && budget.mayWait()) {
        out.truncate(cells);
        rows.truncate(complete);
        startOver();
        progress = run(wish, out, rows, budget);
      }
      long size = ReadBudget.size(out.size() - cells, out.byteSize() - bytes);
      lost = !budget.mayWait() && !budget.midRow() && isTooMuch(progress, size, budget);
      lost |= progress == ScanProgress.WOULD_WAIT;
      assert Marks.hitIf(progress == ScanProgress.WOULD_WAIT, ReadMark.FREE_READ_GIVES_UP);
      advanced = true;
      done = true;
      return lost ? ScanProgress.WOULD_WAIT : progress;
    } finally {
      if (lost || !done) {
        out.truncate(cells);
        rows.truncate(complete);
      }
      if (!done) {
        close();
      }
    }
  }

  private ScanProgress tryRun(Wish wish, CellBuffer out, RowSizes rows, ReadBudget budget)
      throws IOException {
    try {
      return run(wish, out, rows, budget);
    } catch (NotInMemoryException e) {
      return ScanProgress.WOULD_WAIT;
    }
  }

  /**
   * Tells whether a row is longer than the budget. Also called for single values, which may be as
   * long as any row.
   */
  private static boolean isTooMuch(ScanProgress progress, long bytes, ReadBudget budget) {
    return switch (progress) {
      case ROW_DONE, BATCH_FULL, END -> budget.maxBytes() >= 0 && bytes > budget.maxBytes();
      default -> true;
    };
  }

  private ScanProgress run(Wish wish, CellBuffer out, RowSizes rows, ReadBudget budget)
      throws IOException {
    RowScanner scanner = reading.scanner();
    return switch (wish) {
      case ROW -> scanner.next(out, budget);
      case ROWS -> scanner.nextRows(out, rows, budget.maxRows(), budget);
      case PEEK -> scanner.peek() ? ScanProgress.ROW_DONE : ScanProgress.END;
    };
  }

  private void rowEnded() throws IOException {
    if (flushed) {
      flushed = false; // before the check: a stop sets it last
      checkStopped();
      moveOn();
      attach();
    }
  }

  private void checkStopped() throws ReadStoppedException {
    if (stopped) {
      throw new ReadStoppedException();
    }
  }

  @Override
  public void stop() {
    stopped = true;
    flushed = true;
  }

  private void attach() throws IOException {
    if (!attached && !closed) {
      reading.attach(request, readPoint);
      attached = true;
    }
  }

  /** Ends a call. A failed call leaves the read's place unknown, so it ends the read. */
  private void leave(boolean done) {
    try {
      if (done) {
        reading.reportCached();
      } else {
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
    reading.lock().unlock();
    releaseIfFree();
  }

  /**
   * Releases flushed memory if the lock is free. Every holder calls this after unlocking, so
   * flushes need not wait for the lock.
   */
  private void releaseIfFree() {
    ReentrantLock lock = reading.lock();
    while (flushed && !lock.isHeldByCurrentThread() && lock.tryLock()) {
      try {
        flushed = false;
        if (held && !closed) {
          moveOn();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void suspend() {
    if (held && !needsSameSources() && reading.lock().tryLock()) {
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
    if (reading.views().haveSuccessors() && !needsSameSources()) {
      assert Marks.hit(
          reading.scanner().isInRow() ? ReadMark.READ_MOVES_IN_ROW : ReadMark.READ_MOVES_TO_FILE);
      detach();
      reading.views().moveOn();
    }
  }

  private boolean needsSameSources() {
    return request.observer().isPresent() && request.observer().get().needsSameSources();
  }

  @Override
  public long readPoint() {
    checkOpen();
    return readPoint;
  }

  @Override
  public ScanStatistics statistics() {
    checkOpen();
    if (!held) {
      return reading.scanner().statistics();
    }
    reading.lock().lock();
    try {
      return reading.scanner().statistics();
    } finally {
      unlock();
    }
  }

  @Override
  public void close() {
    if (held) {
      reading.lock().lock();
      try {
        end();
      } finally {
        unlock();
      }
    } else if (!closed) {
      closed = true;
      rowsLoan.ifPresent(RowsLoan::close);
      try {
        reading.close();
      } finally {
        try {
          region.giveBack(reading);
        } finally {
          visit.close();
        }
      }
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
      rowsLoan.ifPresent(RowsLoan::close);
      region.leave(this);
      reading.views().forget();
    }
  }

  /** Refuses calls after the close: another read may use this read's objects. */
  private void checkOpen() {
    if (closed && !held) {
      throw new IllegalStateException("The read is closed");
    }
  }
}
