package dev.cairn.engine.explain;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.PhaseTimes;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Explains a scan of one region. Returns the outcome of each row instead of the row, in the scan's
 * order, including rows from which the scan returns nothing. One thread at a time.
 */
public final class Explanation implements Closeable {

  /**
   * A row and the outcomes of its cells.
   *
   * @param row the row
   * @param read whether the scan came to it
   * @param cells its cells, family by family in order; only the first ones, if there are very many
   * @param counts number of cells by outcome, including those not in {@code cells}
   */
  public record ExplainedRow(
      byte[] row, boolean read, List<ExplainedCell> cells, Map<CellOutcome, Long> counts) {
    /** Copies the collections. */
    public ExplainedRow {
      cells = List.copyOf(cells);
      counts = Map.copyOf(counts);
    }

    /** Returns how many cells the row has. */
    public long size() {
      return counts.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Opens reads of a region. */
  public interface Reads {
    /** Opens a read; the caller closes it. */
    RegionRead read(ScanRequest request, ReadBudget budget) throws IOException;
  }

  /** The time that a scan may take to begin, with a search of indexes in the half of it. */
  private static final long OPENING_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final RegionRead scan;
  private final RowsExplainer rows;
  private final Clock clock;
  private final int rowsMax;
  private final CellBuffer returned = new CellBuffer();
  private boolean ended;
  private int rowsReturned;
  private long nanos;
  private long hookNanos;

  private Explanation(
      RegionRead scan, RowsExplainer rows, Clock clock, int rowsMax, long openingHookNanos) {
    this.scan = scan;
    this.rows = rows;
    this.clock = clock;
    this.rowsMax = rowsMax;
    this.ended = rowsMax == 0;
    this.nanos = openingHookNanos;
    this.hookNanos = openingHookNanos;
  }

  /**
   * Opens a scan and explains it. The caller closes the explanation.
   *
   * @param rowsMax the scan ends after this many rows with returned cells; with 0 it reads no row,
   *     and the report tells what indexes do
   * @param cellsMax the most cells listed per row; further cells are only counted
   */
  public static Explanation open(
      Reads region, ScanRequest request, Clock clock, int rowsMax, int cellsMax)
      throws IOException {
    var rows = new RowsExplainer(cellsMax);
    long hooked = PhaseTimes.hookNanos();
    boolean opened = false;
    try {
      RegionRead scan =
          region.read(
              request.toBuilder().observer(rows).build(),
              oneStep(clock.nanoTime() + OPENING_NANOS));
      opened = true;
      return new Explanation(scan, rows, clock, rowsMax, PhaseTimes.hookNanos() - hooked);
    } finally {
      if (!opened) {
        rows.close();
      }
    }
  }

  /** Returns a budget that ends after the next returned row, or after a few cells. */
  private static ReadBudget oneStep(long nowNanos) {
    return new ReadBudget(-1, -1, nowNanos, false);
  }

  /**
   * Returns the next explained row. Empty at the end of the scan or at the deadline; {@link
   * #isEnded} tells which.
   *
   * @param deadlineNanos the {@link Clock#nanoTime} at which to stop; {@link Long#MAX_VALUE} for
   *     none
   */
  public Optional<ExplainedRow> next(long deadlineNanos) throws IOException {
    Optional<ExplainedRow> row = rows.poll();
    while (row.isEmpty() && !ended) {
      step();
      row = rows.poll();
      if (deadlineNanos != Long.MAX_VALUE && clock.nanoTime() - deadlineNanos >= 0) {
        return row;
      }
    }
    return row;
  }

  private void step() throws IOException {
    long start = clock.nanoTime();
    long hooked = PhaseTimes.hookNanos();
    ScanProgress progress = scan.next(returned, oneStep(start));
    nanos += clock.nanoTime() - start;
    hookNanos += PhaseTimes.hookNanos() - hooked;
    if (progress == ScanProgress.ROW_DONE) {
      rowsReturned += returned.isEmpty() ? 0 : 1;
      returned.clear();
    }
    ended = progress == ScanProgress.END || rowsReturned >= rowsMax;
  }

  /** Tells whether the scan has come to its end; rows may still be waiting to be taken. */
  public boolean isEnded() {
    return ended;
  }

  /** Returns the reads so far. */
  public ScanReport report() {
    return rows.report(scan, nanos, hookNanos);
  }

  /** Makes the scan end before its next row, as {@link RegionRead#stop} does. Any thread. */
  public void stop() {
    scan.stop();
  }

  /** Releases the files and memory that the scan holds. Closing twice does nothing. */
  @Override
  public void close() {
    try {
      rows.close();
    } finally {
      scan.close();
    }
  }
}
