package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.server.filter.FilterAdapter;
import dev.cairn.server.regionserver.hosted.HookedScan;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.regionserver.LeaseException;

/**
 * A scan that a client walks through call by call. Between calls no call owns it; {@link #enter}
 * gives it to one call, {@link #leave} takes it back. All other methods are for the call that has
 * it.
 */
final class OpenScanner implements Closeable {
  /**
   * The memory that a scanner takes between two calls: its cursors and a part of their blocks. Most
   * blocks are shared with the cache or with other scanners.
   */
  static final long KEPT_BYTES = 32 << 10;

  private static final int LARGE_ROW_BYTES = 512 << 10;

  private final long id;
  private final HostedRegion region;
  private final RegionRead scanner;
  private final ScanShape shape;
  private final Optional<FilterAdapter> filter;
  private final Optional<HookedScan> hooks;
  private final SearchedColumns searched;
  private final AtomicBoolean taken = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CellBuffer heldBack = new CellBuffer(0, 0);
  private volatile long expiresNanos;
  private long nextCallSequence;
  private boolean rowOpen;
  private int lastBytes;
  private long loan; // written before lender is
  private volatile Optional<MemoryAccount> lender = Optional.empty();
  private ScanStatistics reported = ScanStatistics.NONE;

  /**
   * The parts of a scan that the engine does not need.
   *
   * @param batch maximum cells of a result; -1 for whole rows
   * @param maxResultBytes maximum bytes of cells of a response
   * @param small true if the client expects everything in one response, in whole rows
   * @param wantsCursor true if heartbeats carry the scan's position
   */
  record ScanShape(int batch, long maxResultBytes, boolean small, boolean wantsCursor) {}

  OpenScanner(
      long id,
      HostedRegion region,
      RegionRead scanner,
      ScanShape shape,
      Optional<FilterAdapter> filter,
      Optional<HookedScan> hooks,
      SearchedColumns searched) {
    this.id = id;
    this.region = region;
    this.scanner = scanner;
    this.shape = shape;
    this.filter = filter;
    this.hooks = hooks;
    this.searched = searched;
  }

  long id() {
    return id;
  }

  HostedRegion region() {
    return region;
  }

  RegionRead scanner() {
    return scanner;
  }

  ScanShape shape() {
    return shape;
  }

  /** Returns the hooks of the scan. */
  Optional<HookedScan> hooks() {
    return hooks;
  }

  /** Returns the columns of which an index could serve the filter. */
  SearchedColumns searched() {
    return searched;
  }

  /** Tells whether the rest of a row may turn out to be empty because of a filter. */
  boolean mayDropCells() {
    return filter.isPresent() || isForeign();
  }

  /**
   * Tells whether the filter needs no more rows of this region after one of its rows. As in HBase,
   * the next region starts with a new filter. A foreign scanner may have rows nevertheless.
   */
  boolean isFilterDone() throws IOException {
    return isForeign()
        ? scanner.peek(ReadBudget.WHOLE_ROWS) == ScanProgress.END && hooks.get().isFilterDone()
        : filter.isPresent() && filter.get().filterAllRemaining();
  }

  /** Tells whether the filter needs no more rows at the end of a call without results. */
  boolean isFilterDoneAtEnd(boolean inRegion) throws IOException {
    return isForeign() ? hooks.get().isFilterDone() : !inRegion && isFilterDone();
  }

  private boolean isForeign() {
    return hooks.isPresent() && hooks.get().isForeign();
  }

  /** Tells whether the scan may be closed after a call. */
  boolean mayClose() throws IOException {
    return hooks.isEmpty() || hooks.get().mayClose();
  }

  /**
   * Returns the cell that the last response held back: the last one of a row that may continue. The
   * next result begins with it.
   */
  CellBuffer heldBack() {
    return heldBack;
  }

  /** Tells whether a part of the current row was sent. */
  boolean isRowOpen() {
    return rowOpen;
  }

  void setRowOpen(boolean open) {
    this.rowOpen = open;
  }

  /** Returns how many bytes of cells the last response took, 0 before the first. */
  int lastBytes() {
    return lastBytes;
  }

  /** Records the size of a response; the next one is likely to be as large. */
  void responded(int bytes) {
    lastBytes = bytes;
  }

  /** Returns the statistics since the last call of this method. */
  ScanStatistics newStatistics() {
    ScanStatistics now = scanner.statistics();
    ScanStatistics since = now.since(reported);
    reported = now;
    return since;
  }

  /** Returns the statistics at the last call of {@link #newStatistics}. */
  ScanStatistics lastStatistics() {
    return reported;
  }

  /** Describes the scanner; the numbers may be a call old. Any thread may ask. */
  OpenScanners.State state(long nowNanos) {
    boolean busy = taken.get();
    return new OpenScanners.State(
        id,
        region,
        busy,
        nextCallSequence,
        lastBytes,
        busy ? 0 : Math.max(0, TimeUnit.NANOSECONDS.toMillis(expiresNanos - nowNanos)));
  }

  /**
   * Gives the scanner to a call.
   *
   * @param sequence the number of the client's call, if it counts them
   * @throws OutOfOrderScannerNextException if a call was lost, or comes twice
   * @throws LeaseException if another call has the scanner
   */
  void enter(OptionalLong sequence) throws IOException {
    if (!taken.compareAndSet(false, true)) {
      throw sequence.isPresent()
          ? new OutOfOrderScannerNextException(
              "Scanner " + id + " is still at work for an earlier call")
          : new LeaseException("Scanner " + id + " is in use by another call");
    }
    if (sequence.isPresent() && sequence.getAsLong() != nextCallSequence) {
      taken.set(false);
      throw outOfOrder(id, nextCallSequence, sequence.getAsLong());
    }
    if (sequence.isPresent()) {
      nextCallSequence++;
    }
  }

  static OutOfOrderScannerNextException outOfOrder(long id, long expected, long sequence) {
    return new OutOfOrderScannerNextException(
        "Expected nextCallSeq: "
            + expected
            + " But the nextCallSeq got from client: "
            + sequence
            + "; scanner "
            + id);
  }

  /** Returns the number of the client's next call, if it counts them. */
  long nextCallSequence() {
    return nextCallSequence;
  }

  /** Takes the scanner back from a call, and keeps it until then. */
  void leave(long expiresNanos) {
    this.expiresNanos = expiresNanos;
    taken.set(false);
  }

  /** Tells whether no call has ended since a moment. */
  boolean isIdleSince(long nanos, long leaseMillis) {
    return expiresNanos - TimeUnit.MILLISECONDS.toNanos(leaseMillis) - nanos <= 0;
  }

  /** Tells whether no call has the scanner and its lease is over; then no call gets it any more. */
  boolean expire(long nowNanos) {
    return nowNanos - expiresNanos > 0 && taken.compareAndSet(false, true);
  }

  /** Tells whether {@link #borrow} was called. */
  boolean hasBorrowed() {
    return lender.isPresent();
  }

  /**
   * Borrows the memory that the scanner needs between two calls, once. {@link #close} gives it
   * back. Called by the call that has the scanner.
   *
   * @throws MemoryShortageException if there is no memory
   */
  void borrow(MemoryAccount account) {
    int row = region.rowSize().expected();
    // The cursor holds a block, which is at least as large as its largest cell.
    long bytes = KEPT_BYTES + (row > LARGE_ROW_BYTES ? row : 0);
    if (!account.tryBorrowStanding(bytes)) {
      throw MemoryShortageException.forNow(bytes, account);
    }
    loan = bytes;
    lender = Optional.of(account);
  }

  @Override
  public void close() {
    close(false);
  }

  /** Closes the scan for a thread that must not wait for hooks. */
  void closeElsewhere() {
    close(true);
  }

  private void close(boolean elsewhere) {
    if (closed.compareAndSet(false, true)) {
      try {
        if (elsewhere && hooks.isPresent()) {
          hooks.get().closeElsewhere();
        } else {
          scanner.close();
        }
      } finally {
        if (lender.isPresent()) {
          lender.get().giveBackStanding(loan);
        }
      }
    }
  }
}
