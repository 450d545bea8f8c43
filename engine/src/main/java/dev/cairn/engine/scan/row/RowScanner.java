package dev.cairn.engine.scan.row;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.cursor.SeekKey;
import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.DroppedRows;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RowSet;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.scan.SourceMetrics;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.match.FilterEvaluation;
import dev.cairn.engine.time.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Goes from row to row of a region: finds the next one that any of the families has, asks the
 * filter about it, and has {@link RowReader} hand it out.
 *
 * <p>Cells go straight to the caller's buffer, and a call may stop between any two of them, unless
 * the row must be judged first. Time may run out at any point; the next call continues there.
 *
 * <p>Not thread-safe, but calls may come from different threads one after another.
 */
public final class RowScanner implements Closeable {
  private enum Phase {
    BETWEEN_ROWS,
    STAGING,
    EMITTING
  }

  private static final ScanRequest NOTHING = ScanRequest.builder().build();

  private final CellComparator comparator;
  private final Clock clock;
  private final ReadLimits limits;
  private final FamilyScanners families;
  private final RowReader reader;
  private final SeekKey stopKey = new SeekKey();

  // The arguments of begin(), and values derived from them.
  private ScanRequest request = NOTHING;
  private long readPoint;
  private long nowMillis;
  private Optional<FilterEvaluation> filter = Optional.empty();

  /** True if runs may cross rows, if the caller wants several. */
  private boolean runsMayCrossRows;

  private ReadMetrics reads;
  private ScanObserver observer = ScanObserver.NONE;
  private RowEndListener boundary = RowEndListener.NONE;
  private DroppedRows dropped = DroppedRows.IGNORED;

  /** A copy of the row's first cell, if {@link #dropped} may be told of the row; else null. */
  private Cell firstOfRow;

  /** True while {@link #dropped} is told. */
  private boolean telling;

  /** Gives the rows to visit; null if the scan visits all. */
  private RowSet.Walk walk;

  /** True if the scan stands at a row of the walk that it has not begun, {@link #target}. */
  private boolean arrived;

  /** True if the scan went to a row of the walk that has no cell. There may be more rows. */
  private boolean gone;

  /** The last row of the walk that the scan went to. */
  private byte[] target = {};

  private boolean opened;
  private boolean exhausted;
  private boolean closed = true;
  private Phase phase = Phase.BETWEEN_ROWS;

  /** True if the row is staged for the filter alone, which has dropped it already. */
  private boolean droppedByKey;

  private long rowsScanned;
  private long rowsFiltered;

  /** The files of released sources, counted as in {@link FamilyScanners#addTo}. */
  private final long[] filesBefore = new long[SourceMetrics.Use.values().length];

  /**
   * Creates a scanner that reads nothing before {@link #begin}.
   *
   * @param comparator the order of the region's cells
   * @param clock read once per scan for the expiry of cells, and during calls for their deadlines
   */
  public RowScanner(CellComparator comparator, Clock clock) {
    this.comparator = comparator;
    this.clock = clock;
    this.limits = new ReadLimits(clock);
    RowKey row = new RowKey();
    this.families = new FamilyScanners(comparator, row);
    this.reader = new RowReader(families, row, limits);
    this.reads = new ReadMetrics(clock);
  }

  /**
   * Opens a scan; reads nothing before the first {@link #next}. The scan takes over the sources.
   * The scanner must be new or closed, so one object serves many short reads.
   *
   * @param wanted the request, its rows already clipped to the region's
   * @param sources the region's families in the order of their names; the scan closes unrequested
   *     ones at once, unread
   * @param visible the highest sequence number that the scan sees
   * @param figures counts the reads of sources that are closed before the scan
   * @throws IllegalStateException if the scan before this one was not closed
   * @throws IllegalArgumentException if a raw scan asks for single columns, as in HBase; the
   *     sources are then still the caller's
   */
  public void begin(
      ScanRequest wanted, List<StoreSource> sources, long visible, ReadMetrics figures)
      throws IOException {
    begin(wanted, sources, visible, figures, Optional.empty());
  }

  /**
   * As {@link #begin(ScanRequest, List, long, ReadMetrics)}, of some rows.
   *
   * @param rows the rows that the scan visits, all of them within the request's range; empty for
   *     all rows
   */
  @CompiledApart("begins a read")
  public void begin(
      ScanRequest wanted,
      List<StoreSource> sources,
      long visible,
      ReadMetrics figures,
      Optional<RowSet> rows)
      throws IOException {
    if (!closed) {
      throw new IllegalStateException("The scanner is in use");
    }
    if (wanted.raw()
        && wanted.families().values().stream().anyMatch(f -> !f.qualifiers().isEmpty())) {
      throw new IllegalArgumentException("Cannot specify any column for a raw scan");
    }
    request = wanted;
    readPoint = visible;
    reads = figures;
    observer = wanted.observer().orElse(ScanObserver.NONE);
    boundary = RowEndListener.NONE;
    dropped = wanted.hooks().dropped();
    filter = wanted.filter().map(FilterEvaluation::new);
    limits.restart();
    nowMillis = clock.currentTimeMillis();
    observer.begins(wanted, comparator, visible, nowMillis);
    families.begin(wanted, sources, visible, nowMillis, filter);
    reader.begin(filter, observer);
    runsMayCrossRows =
        families.count() == 1
            && !reader.stagesRows()
            && !wanted.reversed()
            && filter.isEmpty()
            && dropped == DroppedRows.IGNORED;
    walk = rows.isPresent() ? rows.get().walk(wanted.reversed()) : null;
    arrived = false;
    gone = false;
    opened = false;
    exhausted = false;
    closed = false;
    phase = Phase.BETWEEN_ROWS;
    rowsScanned = 0;
    rowsFiltered = 0;
    Arrays.fill(filesBefore, 0);
  }

  /**
   * Appends the next row, as {@link dev.cairn.engine.scan.RegionRead#next} does. The sources
   * observe the budget's rule about waiting.
   */
  @CompiledApart("reads a row")
  public ScanProgress next(CellBuffer out, ReadBudget wanted) throws IOException {
    start(out, CellRun.NO_ROWS, 1, wanted);
    ScanProgress progress = nextRow(out);
    limits.release();
    return progress;
  }

  /**
   * Appends the next rows, as {@link dev.cairn.engine.scan.RegionRead#nextRows} does, after those
   * in {@code rows}.
   *
   * @param rowsMax at least 1
   */
  public ScanProgress nextRows(CellBuffer out, RowSizes rows, int rowsMax, ReadBudget wanted)
      throws IOException {
    start(out, rows, rowsMax, wanted);
    if (runsMayCrossRows) {
      limits.letRunsCrossRows(endOfRuns());
    }
    ScanProgress progress;
    do {
      progress = nextRow(out);
      if (progress == ScanProgress.ROW_DONE && !reader.isNoted()) {
        limits.run().rowEnds();
      }
    } while (progress == ScanProgress.ROW_DONE && !limits.isOver() && !exhausted);
    limits.release();
    return progress;
  }

  /** Returns the key after all cells of the only family that the scan wants. */
  private Cell endOfRuns() {
    byte[] stop = request.stopRow();
    if (stop.length == 0) {
      return CellRun.NO_END;
    }
    return request.includeStop()
        ? stopKey.afterFamily(stop, stop.length, families.get(0).family())
        : stopKey.firstOnRow(stop, stop.length);
  }

  private void start(CellBuffer out, RowSizes rows, int rowsMax, ReadBudget wanted)
      throws IOException {
    if (closed) {
      throw new IllegalStateException("The scanner is closed");
    }
    refuseIfTelling();
    limits.begin(wanted, !reader.givesWholeRows(), out, rows, rowsMax);
    if (!opened) {
      open();
    }
  }

  /** Goes on to the end of a row. */
  private ScanProgress nextRow(CellBuffer out) throws IOException {
    boolean emittedBefore = phase == Phase.EMITTING && reader.hasEmitted();
    while (true) {
      if (phase == Phase.BETWEEN_ROWS) {
        boundary.reached();
        if (exhausted || !beginRow()) {
          exhausted = true;
          observer.ends();
          return ScanProgress.END;
        }
        limits.looked(1);
        if (limits.isOutOfTime()) {
          assert Marks.hitIf(gone, IndexMark.PAUSED_AT_GONE_ROW);
          return ScanProgress.LIMIT_BETWEEN_ROWS;
        }
      }
      if (phase == Phase.STAGING) {
        if (!reader.stage()) {
          return ScanProgress.LIMIT_BETWEEN_ROWS;
        }
        CellOutcome fate = droppedByKey ? CellOutcome.FILTERED_ROW_KEY : reader.judge();
        if (fate == CellOutcome.RETURNED) {
          phase = Phase.EMITTING;
        } else {
          rowsFiltered++;
          endRow(fate);
          tellOfDropped();
        }
      }
      if (phase == Phase.EMITTING) {
        ScanProgress progress = emit(out);
        if (progress != ScanProgress.ROW_DONE) {
          return progress;
        }
        // The caller has parts of the row: without a report of its end, the next row's cells would
        // seem to be its rest.
        if (finishRow(out) || emittedBefore) {
          return ScanProgress.ROW_DONE;
        }
      }
    }
  }

  /** Appends the rest of the row, and counts the rows that a run appends after it. */
  private ScanProgress emit(CellBuffer out) throws IOException {
    RowSizes rows = limits.run().rowSizes();
    int before = rows.size();
    ScanProgress progress = reader.emit(out);
    rowsScanned += rows.size() - before - (reader.isNoted() ? 1 : 0);
    return progress;
  }

  /**
   * Looks for the next cell only, so its row may still be deleted or filtered out.
   *
   * @return whether there may be another row; true within a row
   */
  public boolean peek() throws IOException {
    if (opened && !exhausted && phase == Phase.BETWEEN_ROWS) {
      Cell next = leaveRow();
      exhausted = !gone && (next == null || isBehindStop(next));
    }
    return !exhausted;
  }

  /** Returns the highest sequence number that the scan sees. */
  public long readPoint() {
    return readPoint;
  }

  /**
   * Returns when the scan began, milliseconds since 1970. This time decides which cells are
   * expired.
   */
  public long nowMillis() {
    return nowMillis;
  }

  /** Tells whether the scan has begun a row that has not ended. */
  public boolean isInRow() {
    return phase != Phase.BETWEEN_ROWS;
  }

  /** Sets the listener for the ends of rows, until the next scan begins. */
  public void setRowEndListener(RowEndListener listener) {
    boundary = listener;
  }

  /**
   * Closes the sources between two calls or rows, and releases every cell in them. The scan
   * remembers its place. {@link #attach} must follow before the next read.
   */
  public void detach() {
    keepFigures();
    reader.detach(phase == Phase.BETWEEN_ROWS);
  }

  /**
   * Continues with other sources at the place that {@link #detach} remembered. The scan returns the
   * same cells as if it had kept the former sources.
   *
   * @param sources one for each family that is read, in the order of the former ones. They have the
   *     same cells up to the scan's read point, but may lack cells that no scan at that point
   *     returns. The scan owns them from now on
   */
  public void attach(List<StoreSource> sources) throws IOException {
    reader.attach(sources, readPoint);
  }

  /** Returns counts of the cells that the scan has looked at so far. */
  public ScanStatistics statistics() {
    ReadMetrics sum = reads.another();
    sum.add(reads);
    long[] files = filesBefore.clone();
    families.addTo(sum, files);
    long[] outcomes = new long[CellOutcome.values().length];
    families.addTo(outcomes);
    return new ScanStatistics(
        rowsScanned, rowsFiltered, reader.row(), sum, files, families.seeks(), outcomes);
  }

  /**
   * Adds the sources' figures to the scan's own. The caller closes the sources next, because
   * another scan may reuse them.
   */
  public void keepFigures() {
    families.addTo(reads, filesBefore);
  }

  /** Closes the sources. Closing twice does nothing. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    refuseIfTelling();
    closed = true;
    exhausted = true;
    families.close();
  }

  /**
   * Lets go of all that the last read had, which must be closed: what stays is memory to work with.
   */
  public void forget() {
    if (!closed) {
      throw new IllegalStateException("The scanner is in use");
    }
    families.forget();
    reader.forget();
    request = NOTHING;
    filter = Optional.empty();
    observer = ScanObserver.NONE;
    boundary = RowEndListener.NONE;
    dropped = DroppedRows.IGNORED;
    firstOfRow = null;
    walk = null;
    limits.release();
    stopKey.trim();
  }

  @CompiledApart("opens the families of a read")
  private void open() throws IOException {
    opened = true;
    if (walk == null) {
      families.open(request.startRow(), request.includeStart());
    }
    askFilterForNextRow();
  }

  /**
   * Finds the next row and begins it, unless it is gone or the filter drops it by its key. Returns
   * false if there is none.
   */
  private boolean beginRow() throws IOException {
    Cell first = leaveRow();
    if (gone) {
      return true;
    }
    if (first == null || isBehindStop(first)) {
      return false;
    }
    arrived = false;
    rowsScanned++;
    Cell firstInRow = reader.enter(first);
    firstOfRow = dropped == DroppedRows.IGNORED ? null : firstInRow.copy();
    droppedByKey = filter.isPresent() && filter.get().filterRowKey(firstInRow);
    if (!droppedByKey) {
      phase = reader.stagesRows() ? Phase.STAGING : Phase.EMITTING;
    } else if (filter.get().isFinished()) {
      // As in HBase: the row at which a filter ends the scan by its key is counted as filtered and
      // not as scanned, and the filter is not shown this row, even if it learns from dropped rows.
      rowsFiltered++;
      rowsScanned--;
      phase = Phase.BETWEEN_ROWS;
      exhausted = true;
      observer.rowEnds(CellOutcome.FILTERED_ROW_KEY);
      observer.filterEnded();
    } else if (filter.get().filter().seesDroppedRows()) {
      phase = Phase.STAGING;
    } else {
      rowsFiltered++;
      endRow(CellOutcome.FILTERED_ROW_KEY);
      tellOfDropped();
    }
    return true;
  }

  /**
   * Returns some cell of the row that comes next, null if there is none, or if the next row of the
   * walk is {@link #gone}.
   */
  private Cell leaveRow() throws IOException {
    gone = false;
    if (walk == null) {
      return families.leaveRow();
    }
    if (arrived) {
      Cell found = families.leaveRow();
      if (found == null || comparator.compareRow(found, target) == 0) {
        return found;
      }
      // A flush has dropped the row since: its cells had expired when the scan began.
      arrived = false;
      walk.skipTo(found);
    }
    if (!walk.hasNext()) {
      return null;
    }
    target = walk.next();
    Cell found = families.goTo(target);
    if (found == null) {
      return null;
    }
    if (comparator.compareRow(found, target) == 0) {
      arrived = true;
      return found;
    }
    assert Marks.hit(IndexMark.ROW_GONE);
    walk.skipTo(found);
    gone = true;
    return null;
  }

  private boolean isBehindStop(Cell cell) {
    byte[] stop = request.stopRow();
    if (stop.length == 0) {
      return false;
    }
    int order = comparator.compareRow(cell, stop);
    return order == 0 ? !request.includeStop() : request.reversed() == order < 0;
  }

  private void endRow(CellOutcome fate) throws IOException {
    observer.rowEnds(fate);
    phase = Phase.BETWEEN_ROWS;
    byte[] stop = request.stopRow();
    if (stop.length > 0 && reader.isAt(stop)) {
      // So that a read of one row does not look for a second one.
      exhausted = true;
    }
    askFilterForNextRow();
  }

  private void askFilterForNextRow() throws IOException {
    if (filter.isPresent()) {
      filter.get().startRow();
      if (filter.get().isFinished()) {
        exhausted = true;
        observer.filterEnded();
      }
    }
  }

  /** Ends a row that was read to its end. Returns false if the filter drops it. */
  private boolean finishRow(CellBuffer out) throws IOException {
    boolean emitted = reader.hasEmitted();
    boolean drops =
        emitted && !reader.stagesRows() && filter.isPresent() && filter.get().filter().filterRow();
    if (drops) {
      // Of a row that was handed out in parts, the parts before this one are gone already.
      out.truncate(out.size() - limits.run().cellsOfRow());
    }
    if (drops || !emitted) {
      rowsFiltered++;
    }
    endRow(drops ? CellOutcome.FILTERED_ROW : CellOutcome.RETURNED);
    if (!emitted || drops) {
      tellOfDropped();
    }
    return emitted && !drops;
  }

  /** Tells of a row that is not returned; the scan may end there. */
  private void tellOfDropped() throws IOException {
    if (dropped == DroppedRows.IGNORED) {
      return;
    }
    telling = true;
    try {
      exhausted |= !dropped.goesOnAfter(firstOfRow);
    } finally {
      telling = false;
    }
  }

  private void refuseIfTelling() {
    if (telling) {
      throw new IllegalStateException("A hook uses the scan that calls it");
    }
  }
}
