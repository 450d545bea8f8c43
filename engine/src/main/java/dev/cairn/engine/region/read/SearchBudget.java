package dev.cairn.engine.region.read;

import dev.cairn.engine.scan.RowSet;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.Optional;

/**
 * Limits a search of indexes: the entries that it may find, the chunks that it may read, the memory
 * of its rows, and its time. A search of several columns has one budget. Not thread-safe.
 */
final class SearchBudget {
  /** The reason of a search that finds too many entries. */
  static final String TOO_MANY = "too many rows may match";

  /** The entries of all columns above which a search ends. */
  private static final int ENTRIES_MAX = 40_000;

  /** The same if the scan wants to use indexes always. */
  private static final int ENTRIES_ALWAYS_MAX = 2_000_000;

  /** The chunks, of 32 KB each, that a search may read in any case. */
  private static final int CHUNKS_MIN = 50;

  /** The chunks above which a search ends in any case: they take some tenths of a second. */
  private static final int CHUNKS_MAX = 2_000;

  /** The chunks above which a search ends even if the scan wants to use indexes always. */
  private static final int CHUNKS_ALWAYS_MAX = 20_000;

  /** The rows that a scan reads, at least, in the time in which a search reads a chunk. */
  private static final int ROWS_PER_CHUNK = 500;

  /** The greatest number of bytes of rows that a search keeps in memory. */
  private static final long ROW_BYTES_MAX = 4 << 20;

  /** The entries after which the time is checked. */
  private static final int ENTRIES_BETWEEN_CHECKS = 512;

  /** Ends a search from outside. */
  @FunctionalInterface
  interface Stop {
    /**
     * Returns if the search may go on.
     *
     * @throws IOException if the read was stopped
     */
    void check() throws IOException;
  }

  private final Clock clock;
  private final long deadlineNanos;
  private final Stop stop;
  private final RowsLoan loan;
  private final boolean always;
  private long entriesLeft;
  private long chunksLeft;
  private long chunksGranted = CHUNKS_MIN;
  private long bytes;
  private int untilCheck = ENTRIES_BETWEEN_CHECKS;
  private boolean late;
  private Optional<String> overrun = Optional.empty();

  /**
   * Creates a budget.
   *
   * @param deadlineNanos the clock's {@link Clock#nanoTime} at which the search ends; {@link
   *     Long#MAX_VALUE} for none
   * @param stop is asked before each chunk and every few hundred entries
   * @param loan the memory of the rows
   * @param always whether the scan wants to use indexes although many rows match
   */
  SearchBudget(Clock clock, long deadlineNanos, Stop stop, RowsLoan loan, boolean always) {
    this.clock = clock;
    this.deadlineNanos = deadlineNanos;
    this.stop = stop;
    this.loan = loan;
    this.always = always;
    this.entriesLeft = always ? ENTRIES_ALWAYS_MAX : ENTRIES_MAX;
    this.chunksLeft = always ? CHUNKS_ALWAYS_MAX : CHUNKS_MIN;
  }

  /**
   * Grants the chunks that are worth reading instead of so many rows; of several columns the
   * greatest number counts.
   */
  void expectRows(double rows) {
    if (!always) {
      long granted = (long) Math.min(CHUNKS_MAX, Math.max(CHUNKS_MIN, rows / ROWS_PER_CHUNK));
      if (granted > chunksGranted) {
        chunksLeft += granted - chunksGranted;
        chunksGranted = granted;
      }
    }
  }

  /** Counts an entry that was found. Returns false if the search ends. */
  boolean found() throws IOException {
    if (--entriesLeft < 0) {
      return ends(TOO_MANY);
    }
    return --untilCheck > 0 || isInTime();
  }

  /** Tells whether the search may look for another range in memory. */
  boolean maySeek() throws IOException {
    return --untilCheck > 0 || isInTime();
  }

  /** Counts a row that is kept. Returns false if the search ends. */
  boolean keeps(byte[] row) {
    bytes += RowSet.heapBytes(row);
    if (bytes > ROW_BYTES_MAX) {
      return ends(TOO_MANY);
    }
    return loan.covers(bytes) || ends("the server has too little memory for the rows");
  }

  /** Counts bytes of rows that are dropped. */
  void drops(long rowBytes) {
    bytes -= rowBytes;
  }

  /**
   * Ends the search, and gives back the memory that is not needed.
   *
   * @param rowBytes the bytes of the rows that were found
   */
  void end(long rowBytes) {
    bytes = rowBytes;
    loan.shrink(bytes);
  }

  /** Counts a chunk that is to be read. Returns false if the search ends. */
  boolean mayRead() throws IOException {
    return (--chunksLeft >= 0 || ends("the search would read too much of the index")) && isInTime();
  }

  private boolean isInTime() throws IOException {
    untilCheck = ENTRIES_BETWEEN_CHECKS;
    stop.check();
    late = deadlineNanos != Long.MAX_VALUE && clock.nanoTime() - deadlineNanos >= 0;
    return !late || ends("the search takes too long");
  }

  private boolean ends(String reason) {
    overrun = Optional.of(reason);
    return false;
  }

  /** Returns why the search has stopped early, and clears the reason. */
  Optional<String> takeOverrun() {
    Optional<String> reason = overrun;
    overrun = Optional.empty();
    return reason;
  }

  /** Tells whether another column may be searched after one that was given up. */
  boolean isLeft() {
    return !late && entriesLeft > 0 && chunksLeft > 0;
  }
}
