package dev.cairn.engine.explain;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RowScanner;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A scan of one region that returns no rows but what became of them, in the scan's order: also of
 * rows of which nothing is returned. One thread at a time.
 */
public final class ExplainingScanner implements Explanation {
  private final Clock clock;
  private final RowScanner scan;
  private final List<ExplainSource> sources;
  private final List<FamilyExplainer> families = new ArrayList<>();
  private final RowsExplainer rows;
  private final long nowMillis;
  private final int rowsMax;
  private final CellBuffer returned = new CellBuffer();
  private boolean opened;
  private boolean ended;
  private boolean closed;
  private int rowsReturned;
  private long nanos;

  /**
   * Opens a scan.
   *
   * @param request what is scanned, its rows already clipped to the region's
   * @param sources the families that are asked for, in the order of their names; the scanner owns
   *     them from now on
   * @param readPoint the highest sequence that the scan sees
   * @param reads what is taken out of sources that do not keep figures of their own
   * @param rowsMax after how many rows of which something is returned the scan ends, at least 1
   * @param cellsMax how many cells of each row are listed
   * @throws IllegalArgumentException if a raw scan asks for single columns; the sources are then
   *     still the caller's
   */
  public ExplainingScanner(
      ScanRequest request,
      List<ExplainSource> sources,
      CellComparator comparator,
      long readPoint,
      Clock clock,
      ReadMetrics reads,
      int rowsMax,
      int cellsMax)
      throws IOException {
    this.clock = clock;
    this.sources = List.copyOf(sources);
    this.rowsMax = rowsMax;
    this.nowMillis = clock.currentTimeMillis();
    List<StoreSource> watched = new ArrayList<>();
    for (ExplainSource source : sources) {
      FamilyExplainer family = new FamilyExplainer(source, request, comparator, readPoint);
      families.add(family);
      watched.add(
          new StoreSource(
              source.family(),
              source.cursors(),
              true,
              source.values(),
              source.trace(),
              Optional.of(family)));
    }
    this.rows = new RowsExplainer(request, comparator, families, cellsMax);
    this.scan = new RowScanner(request, watched, comparator, readPoint, new Stopped(), reads, rows);
  }

  @Override
  public Optional<ExplainedRow> next(long deadlineNanos) throws IOException {
    if (closed) {
      throw new IllegalStateException("The scanner is closed");
    }
    if (!opened) {
      opened = true;
      rows.open();
    }
    while (true) {
      Optional<ExplainedRow> row = rows.poll();
      if (row.isPresent() || ended) {
        return row;
      }
      try {
        step();
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      if (deadlineNanos != Long.MAX_VALUE && clock.nanoTime() - deadlineNanos >= 0) {
        return rows.poll();
      }
    }
  }

  @Override
  public boolean isEnded() {
    return ended;
  }

  @Override
  public ScanReport report() {
    return new ScanReport(
        scan.readPoint(),
        nowMillis,
        families.stream().map(FamilyExplainer::report).toList(),
        scan.statistics(),
        nanos,
        rows.filterHasEnded(),
        rows.rowsNotListed());
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      scan.close();
      for (ExplainSource source : sources) {
        source.close();
        source.onClose().run();
      }
    }
  }

  /** Lets the scan go on a little: to the end of a row that it returns, or a few cells further. */
  private void step() throws IOException {
    int before = returned.size();
    long start = clock.nanoTime();
    ScanProgress progress = scan.next(returned, new ReadBudget(-1, -1, start, false));
    nanos += clock.nanoTime() - start;
    if (progress == ScanProgress.ROW_DONE) {
      rowsReturned += returned.size() > before ? 1 : 0;
      returned.clear();
    }
    if (progress == ScanProgress.END) {
      rows.end();
      ended = true;
    }
    ended |= rowsReturned >= rowsMax;
  }

  /** The clock of a scan that takes its time: what is expired is said once. */
  private final class Stopped implements Clock {
    @Override
    public long currentTimeMillis() {
      return nowMillis;
    }

    @Override
    public long nanoTime() {
      return clock.nanoTime();
    }
  }
}
