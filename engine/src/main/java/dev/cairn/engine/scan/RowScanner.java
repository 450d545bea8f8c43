package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadFigures;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.cursor.SeekKey;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Assembles rows from a region's families: finds the next row that any of them has, lets each give
 * its cells in the order of families, and asks the filter about the row.
 *
 * <p>Cells go straight to the caller's buffer, and a call may stop between any two of them, unless
 * the row has to be judged first: by a filter that needs whole rows, or because families that the
 * filter does not need are read only for rows that pass. Such a row is <em>staged</em>: collected
 * here, judged, and then handed out. Time may run out in all cases; what was begun is kept for the
 * next call.
 *
 * <p>Not thread-safe, but calls may come from different threads one after another.
 */
public final class RowScanner implements RegionScanner {
  private enum Phase {
    BETWEEN_ROWS,
    STAGING,
    EMITTING
  }

  /** What a row comes to that has ended without a cell: the call goes on with the next one. */
  private static final ScanProgress NOTHING_LEFT = null;

  private static final ScanRequest NOTHING = ScanRequest.builder().build();

  private final CellComparator comparator;
  private final Clock clock;
  private final FateCounts counts = new FateCounts();
  private final WorkBudget budget;
  private final FamilyScanners families;
  private final RowStage stage = new RowStage();
  private final RowRun run = new RowRun();
  private final Cell lastTaken = new Cell();

  // What begin() is told, and what follows from it.
  private ScanRequest request = NOTHING;
  private long readPoint;
  private Optional<FilterRun> filter = Optional.empty();
  private boolean wholeRows;
  private boolean staged;

  /** Whether several rows may be handed out at once, if nothing of the rows keeps it from that. */
  private boolean takesRuns;

  private ReadFigures reads;
  private ScanWitness witness;

  private byte[] row = Bytes.EMPTY;
  private int rowLength;
  private boolean opened;
  private boolean exhausted;
  private boolean closed = true;
  private Phase phase = Phase.BETWEEN_ROWS;

  // Within a row: whose turn it is, and what was found but not handed out yet.
  private int familyIndex;
  private Cell current;
  private boolean holding;
  private boolean emittedInRow;

  /** Whether calls before this one have handed out parts of the row. */
  private boolean emittedBefore;

  /** Whether the row is staged for nothing but the filter, which has dropped it already. */
  private boolean droppedByKey;

  /** What became of a staged row of which nothing is left. */
  private CellFate emptied = CellFate.FAMILY_NOT_NEEDED;

  private long rowsScanned;
  private long rowsFiltered;

  /**
   * Opens a scan; nothing is read before the first {@link #next}. The scan owns the sources from
   * now on.
   *
   * @param request what is wanted, its rows already clipped to the region's
   * @param sources the region's families in the order of their names; those not asked for are
   *     closed at once and not read
   * @param readPoint the highest sequence that is seen
   * @param clock says what is expired, once, now; and when a call's time is over
   * @throws IllegalArgumentException if a raw scan asks for single columns, as in HBase; the
   *     sources are then still the caller's
   */
  public RowScanner(
      ScanRequest request,
      List<StoreSource> sources,
      CellComparator comparator,
      long readPoint,
      Clock clock)
      throws IOException {
    this(request, sources, comparator, readPoint, clock, new ReadFigures(clock), ScanWitness.NONE);
  }

  /**
   * As the other constructor, for a scan whose reading is counted, and that is watched.
   *
   * @param reads what is taken out of all sources that do not keep figures of their own
   * @param witness hears of rows
   */
  public RowScanner(
      ScanRequest request,
      List<StoreSource> sources,
      CellComparator comparator,
      long readPoint,
      Clock clock,
      ReadFigures reads,
      ScanWitness witness)
      throws IOException {
    this(comparator, clock);
    begin(request, sources, readPoint, reads, witness);
  }

  /**
   * Creates a scanner that reads nothing before {@link #begin}.
   *
   * @param comparator the order of the region's cells
   * @param clock as for the other constructors
   */
  public RowScanner(CellComparator comparator, Clock clock) {
    this.comparator = comparator;
    this.clock = clock;
    this.budget = new WorkBudget(clock);
    this.families = new FamilyScanners(comparator, counts);
    this.reads = new ReadFigures(clock);
    this.witness = ScanWitness.NONE;
  }

  /**
   * Opens a scan as the constructor does, with a scanner that is new or has been closed. So one
   * object serves many short reads; what it takes to read is made once.
   *
   * @throws IllegalStateException if the scan before this one was not closed
   */
  public void begin(
      ScanRequest wanted,
      List<StoreSource> sources,
      long visible,
      ReadFigures figures,
      ScanWitness watcher)
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
    witness = watcher;
    filter = wanted.filter().map(FilterRun::new);
    wholeRows = filter.isPresent() && filter.get().filter().needsWholeRow();
    counts.clear();
    budget.lift();
    families.begin(wanted, sources, visible, clock.currentTimeMillis(), filter);
    staged = wholeRows || !families.areAllEssential();
    stage.begin(staged);
    takesRuns =
        families.count() == 1
            && !staged
            && !wanted.reversed()
            && filter.isEmpty()
            && watcher == ScanWitness.NONE;
    rowLength = 0;
    opened = false;
    exhausted = false;
    closed = false;
    phase = Phase.BETWEEN_ROWS;
    rowsScanned = 0;
    rowsFiltered = 0;
  }

  @Override
  public ScanProgress next(CellBuffer out, ScanLimits limits) throws IOException {
    start(limits);
    return nextRow(out, limits, 0, 0);
  }

  @Override
  public ScanProgress nextRows(CellBuffer out, RowSizes rows, int rowsMax, ScanLimits limits)
      throws IOException {
    start(limits);
    boolean atOnce = takesRuns && limits.maxCells() <= 0;
    run.begin(out, rows, rowsMax, limits, request.stopRow());
    boolean goesOn = true;
    while (goesOn) {
      int cells = out.size();
      int begun = atOnce && phase == Phase.BETWEEN_ROWS && !exhausted ? takeRows(out, rows) : 0;
      if (out.size() == cells || begun > 0) {
        int firstOfRow = out.size() - begun;
        ScanProgress progress = nextRow(out, limits, run.used(out, firstOfRow), begun);
        if (progress != ScanProgress.ROW_DONE) {
          return progress;
        }
        rows.add(out.size() - firstOfRow);
      }
      goesOn = !(run.isFull(out, rows) || exhausted || budget.isSpentAfter(out.size() - cells));
    }
    return ScanProgress.ROW_DONE;
  }

  /**
   * Hands out rows that come next and need not be looked at. The last of them may be only begun;
   * then it is the current one.
   *
   * @return how many cells of a row were handed out that was only begun
   */
  private int takeRows(CellBuffer out, RowSizes rows) throws IOException {
    families.leaveRow();
    int cells = out.size();
    int whole = rows.size();
    int begun = run.take(families.get(0), out, rows);
    rowsScanned += rows.size() - whole;
    if (out.size() > cells) {
      setRow(out.get(out.size() - 1, lastTaken, 0));
      lastTaken.clear(); // or a scan that waits for its next call would hold on to this answer
    }
    if (begun > 0) {
      rowsScanned++;
      familyIndex = 0;
      holding = false;
      emittedInRow = true;
      families.get(0).enterRow(row, rowLength); // what was left of it may be too new to be seen
      phase = Phase.EMITTING;
    }
    return begun;
  }

  private void start(ScanLimits limits) throws IOException {
    if (closed) {
      throw new IllegalStateException("The scanner is closed");
    }
    budget.start(limits.deadlineNanos());
    if (!opened) {
      open();
    }
  }

  /**
   * Goes on to the end of a row.
   *
   * @param used what rows count that this call has appended before
   * @param begun how many cells of the row it has appended already
   */
  private ScanProgress nextRow(CellBuffer out, ScanLimits limits, long used, int begun)
      throws IOException {
    emittedBefore = emittedInRow && phase == Phase.EMITTING;
    while (true) {
      if (phase == Phase.BETWEEN_ROWS) {
        if (exhausted || !beginRow()) {
          exhausted = true;
          return ScanProgress.END;
        }
        if (budget.isSpent()) {
          return ScanProgress.LIMIT_BETWEEN_ROWS;
        }
      }
      if (phase == Phase.STAGING) {
        if (!stageRow()) {
          return ScanProgress.LIMIT_BETWEEN_ROWS;
        }
        if (droppedByKey || !passesAsWhole()) {
          rowsFiltered++;
          endRow(fateOfStage());
        }
      }
      if (phase == Phase.EMITTING) {
        ScanProgress progress = emit(out, limits, used, out.size() - begun);
        if (progress != NOTHING_LEFT) {
          return progress;
        }
      }
    }
  }

  @Override
  public boolean isExhausted() {
    return exhausted;
  }

  @Override
  public long readPoint() {
    return readPoint;
  }

  @Override
  public ScanStatistics statistics() {
    ReadFigures sum = reads.another();
    sum.add(reads);
    long[] files = new long[SourceTrace.Use.values().length];
    families.addTo(sum, files);
    return new ScanStatistics(
        rowsScanned,
        rowsFiltered,
        Arrays.copyOf(row, rowLength),
        sum,
        files,
        counts.seeks(),
        counts.counts());
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
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
    stage.forget();
    request = NOTHING;
    filter = Optional.empty();
    witness = ScanWitness.NONE;
    current = null;
    run.trim();
    if (row.length > SeekKey.KEPT_BYTES_MAX) {
      row = Bytes.EMPTY;
    }
  }

  private void open() throws IOException {
    opened = true;
    families.open(request.startRow(), request.includeStart());
    askFilterForNextRow();
  }

  /**
   * Finds the next row and begins it, unless the filter drops it by its key. Returns false if there
   * is none.
   */
  private boolean beginRow() throws IOException {
    Cell first = families.leaveRow();
    if (first == null || isBehindStop(first)) {
      return false;
    }
    setRow(first);
    rowsScanned++;
    witness.rowBegins(row, rowLength);
    familyIndex = 0;
    holding = false;
    emittedInRow = false;
    emittedBefore = false;
    stage.startRow();
    Cell firstInRow = families.enterRow(first, row, rowLength);
    droppedByKey = filter.isPresent() && filter.get().dropsRow(firstInRow);
    if (!droppedByKey) {
      phase = staged ? Phase.STAGING : Phase.EMITTING;
    } else if (filter.get().isFinished()) {
      // As HBase does it: the row at which a filter ends the scan by its key counts as filtered and
      // not as scanned, and whatever the filter learns from dropped rows, it is not shown this one.
      rowsFiltered++;
      rowsScanned--;
      phase = Phase.BETWEEN_ROWS;
      exhausted = true;
      witness.rowEnds(CellFate.FILTERED_ROW_KEY);
      witness.filterEnded();
    } else if (filter.get().filter().seesDroppedRows()) {
      phase = Phase.STAGING;
    } else {
      rowsFiltered++;
      endRow(CellFate.FILTERED_ROW_KEY);
    }
    return true;
  }

  private void setRow(Cell cell) {
    rowLength = cell.rowLength();
    if (row.length < rowLength) {
      row = new byte[rowLength * 2];
    }
    System.arraycopy(cell.bytes(), cell.rowOffset(), row, 0, rowLength);
  }

  private boolean isBehindStop(Cell cell) {
    byte[] stop = request.stopRow();
    if (stop.length == 0) {
      return false;
    }
    int order = comparator.compareRow(cell, stop);
    return order == 0 ? !request.includeStop() : request.reversed() == order < 0;
  }

  private void endRow(CellFate fate) throws IOException {
    witness.rowEnds(fate);
    phase = Phase.BETWEEN_ROWS;
    byte[] stop = request.stopRow();
    if (stop.length > 0 && Arrays.equals(row, 0, rowLength, stop, 0, stop.length)) {
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
        witness.filterEnded();
      }
    }
  }

  /** Collects the row from the families that the filter needs. Returns false if out of time. */
  private boolean stageRow() throws IOException {
    while (familyIndex < families.count()) {
      StoreScanner family = families.get(familyIndex);
      if (families.isEssential(familyIndex) && family.isInRow()) {
        StoreScanner.Step step = family.advance(budget);
        if (step == StoreScanner.Step.OUT_OF_TIME) {
          return false;
        }
        if (step == StoreScanner.Step.CELL) {
          stage.add(family.cell());
          continue;
        }
      }
      familyIndex++;
    }
    return true;
  }

  private CellFate fateOfStage() {
    if (droppedByKey) {
      return CellFate.FILTERED_ROW_KEY;
    }
    return stage.isEmpty() ? emptied : CellFate.FILTERED_ROW;
  }

  /** Judges the staged row and, if it passes, finds it in the other families. */
  private boolean passesAsWhole() throws IOException {
    emptied = CellFate.FAMILY_NOT_NEEDED;
    if (stage.isEmpty()) {
      return false;
    }
    ScanFilter judge = filter.get().filter();
    if (wholeRows) {
      witness.rowLeft(stage.judge(judge));
      emptied = CellFate.FILTERED_ROW;
    }
    if (!stage.isEmpty() && judge.filterRow()) {
      return false;
    }
    families.findRow(row, rowLength);
    familyIndex = 0;
    phase = Phase.EMITTING;
    return true;
  }

  /**
   * Hands out cells of the row, the first of which in this call is or will be {@code firstCell}.
   * Returns {@link #NOTHING_LEFT} if it ends without any in this call.
   */
  private ScanProgress emit(CellBuffer out, ScanLimits limits, long used, int firstCell)
      throws IOException {
    int firstByte = out.byteSize(firstCell);
    boolean mayStop = limits.midRow() && !wholeRows;
    while (true) {
      if (!holding && mayTakePlain()) {
        takePlain(out, firstCell, firstByte, limits, mayStop, used);
      }
      StoreScanner.Step step = holding ? StoreScanner.Step.CELL : findCell();
      holding = false;
      int taken = out.size() - firstCell;
      boolean batchFull = limits.maxCells() > 0 && taken >= limits.maxCells();
      if (step == StoreScanner.Step.ROW_END) {
        return finishRow(out, firstCell);
      }
      if (step == StoreScanner.Step.OUT_OF_TIME) {
        if (taken == 0) {
          return ScanProgress.LIMIT_BETWEEN_ROWS;
        }
        if (batchFull || mayStop) {
          return batchFull ? ScanProgress.BATCH_FULL : ScanProgress.TIME_IN_ROW;
        }
        budget.lift();
        continue;
      }
      boolean bytesFull =
          mayStop
              && (taken > 0 || limits.maxBytes() == 0)
              && limits.maxBytes() >= 0
              && used + ScanLimits.size(taken, out.byteSize() - firstByte) >= limits.maxBytes();
      if (batchFull || bytesFull) {
        holding = true;
        return batchFull ? ScanProgress.BATCH_FULL : ScanProgress.LIMIT_IN_ROW;
      }
      out.add(current);
      emittedInRow = true;
    }
  }

  private boolean mayTakePlain() {
    return familyIndex < families.count()
        && !(staged && families.isEssential(familyIndex))
        && families.get(familyIndex).mayTakePlain();
  }

  /** Hands out what comes next and need not be looked at, as far as the limits allow. */
  private void takePlain(
      CellBuffer out, int firstCell, int firstByte, ScanLimits limits, boolean mayStop, long used)
      throws IOException {
    int taken = out.size() - firstCell;
    int cellsMax = limits.maxCells() > 0 ? limits.maxCells() - taken : Integer.MAX_VALUE;
    long bytesMax =
        mayStop && limits.maxBytes() >= 0
            ? limits.maxBytes() - used - ScanLimits.size(taken, out.byteSize() - firstByte)
            : Long.MAX_VALUE;
    int added = families.get(familyIndex).takePlain(cellsMax, bytesMax, out);
    if (added > 0) {
      emittedInRow = true;
      budget.count(added);
    }
  }

  private ScanProgress finishRow(CellBuffer out, int firstCell) throws IOException {
    boolean dropped = !emittedInRow;
    if (emittedInRow && !staged && filter.isPresent() && filter.get().filter().filterRow()) {
      // Of a row that was handed out in parts, the parts before this one are gone already.
      out.truncate(firstCell);
      dropped = true;
    }
    if (dropped) {
      rowsFiltered++;
    }
    endRow(dropped && emittedInRow ? CellFate.FILTERED_ROW : CellFate.RETURNED);
    // Without a word about the end of a row whose parts the caller has, the next row's cells would
    // seem to be its rest.
    return out.size() > firstCell || emittedBefore ? ScanProgress.ROW_DONE : NOTHING_LEFT;
  }

  /** Finds the row's next cell: of a family that was staged there, else in its store. */
  private StoreScanner.Step findCell() throws IOException {
    while (familyIndex < families.count()) {
      StoreScanner family = families.get(familyIndex);
      if (staged && families.isEssential(familyIndex)) {
        if (stage.advance(family.family())) {
          current = stage.cell();
          return StoreScanner.Step.CELL;
        }
      } else if (family.isInRow()) {
        StoreScanner.Step step = family.advance(budget);
        if (step != StoreScanner.Step.ROW_END) {
          current = family.cell();
          return step;
        }
      }
      familyIndex++;
    }
    return StoreScanner.Step.ROW_END;
  }
}
