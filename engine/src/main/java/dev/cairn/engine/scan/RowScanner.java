package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadFigures;
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

  /** Stands in for a stage where rows are not staged; nothing is ever added. */
  private final CellBuffer noStage = new CellBuffer(0, 0);

  private final CellComparator comparator;
  private final Clock clock;
  private final FateCounts counts = new FateCounts();
  private final WorkBudget budget;
  private final Cell stagedView = new Cell();

  // What begin() is told, and what follows from it.
  private ScanRequest request = NOTHING;
  private long readPoint;
  private Optional<FilterRun> filter = Optional.empty();
  private boolean wholeRows;
  private boolean staged;
  private StoreScanner[] stores = {};
  private StoreSource[] open = {};
  private ReadFigures reads;
  private ScanWitness witness;

  /** By store: whether it takes part in finding rows; the others are asked about rows that pass. */
  private boolean[] essential = {};

  private CellBuffer stage = noStage;
  private byte[] row = Bytes.EMPTY;
  private int rowLength;
  private boolean opened;
  private boolean exhausted;
  private boolean closed = true;
  private Phase phase = Phase.BETWEEN_ROWS;

  // Within a row: whose turn it is, and what was found but not handed out yet.
  private int storeIndex;
  private int stageIndex;
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
    beginStores(sources);
    boolean someLater = false;
    for (int i = 0; i < stores.length; i++) {
      essential[i] =
          !wanted.loadFamiliesOnDemand()
              || filter.isEmpty()
              || filter.get().filter().isFamilyEssential(stores[i].family());
      someLater |= !essential[i];
    }
    staged = wholeRows || someLater;
    stage = staged ? new CellBuffer() : noStage;
    rowLength = 0;
    opened = false;
    exhausted = false;
    closed = false;
    phase = Phase.BETWEEN_ROWS;
    rowsScanned = 0;
    rowsFiltered = 0;
  }

  private void beginStores(List<StoreSource> sources) {
    int count = 0;
    for (int i = 0; i < sources.size(); i++) {
      count += isWanted(sources.get(i)) ? 1 : 0;
    }
    if (stores.length != count) {
      StoreScanner[] before = stores;
      stores = Arrays.copyOf(before, count);
      for (int i = before.length; i < count; i++) {
        stores[i] = new StoreScanner(comparator, counts);
      }
      open = new StoreSource[count];
      essential = new boolean[count];
    }
    long now = clock.currentTimeMillis();
    int next = 0;
    for (int i = 0; i < sources.size(); i++) {
      StoreSource source = sources.get(i);
      if (isWanted(source)) {
        stores[next].begin(request, source, readPoint, now, filter);
        open[next++] = source;
      } else {
        source.cursors().forEach(cursor -> cursor.close());
        source.values().close();
        source.onClose().run();
      }
    }
  }

  private boolean isWanted(StoreSource source) {
    return request.families().isEmpty() || request.families().containsKey(source.family().name());
  }

  @Override
  public ScanProgress next(CellBuffer out, ScanLimits limits) throws IOException {
    if (closed) {
      throw new IllegalStateException("The scanner is closed");
    }
    budget.start(limits.deadlineNanos());
    if (!opened) {
      open();
    }
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
        ScanProgress progress = emit(out, limits);
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
    for (int i = 0; i < stores.length; i++) {
      SourceTrace trace = open[i].trace();
      trace.addTo(sum);
      for (SourceTrace.Use use : SourceTrace.Use.values()) {
        files[use.ordinal()] += trace.files(use);
      }
    }
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
    for (StoreScanner store : stores) {
      store.close();
    }
    for (int i = 0; i < stores.length; i++) {
      open[i].onClose().run();
    }
  }

  /**
   * Lets go of all that the last read had, which must be closed: what stays is memory to work with.
   */
  public void forget() {
    if (!closed) {
      throw new IllegalStateException("The scanner is in use");
    }
    for (int i = 0; i < stores.length; i++) {
      stores[i].forget();
      open[i] = null;
    }
    request = NOTHING;
    filter = Optional.empty();
    witness = ScanWitness.NONE;
    stage = noStage;
    stagedView.clear();
    current = null;
    if (row.length > SeekKey.KEPT_BYTES_MAX) {
      row = Bytes.EMPTY;
    }
  }

  private void open() throws IOException {
    opened = true;
    for (int i = 0; i < stores.length; i++) {
      if (essential[i]) {
        stores[i].open(request.startRow(), request.includeStart());
      }
    }
    askFilterForNextRow();
  }

  /**
   * Finds the next row and begins it, unless the filter drops it by its key. Returns false if there
   * is none.
   */
  private boolean beginRow() throws IOException {
    Cell first = null;
    for (int i = 0; i < stores.length; i++) {
      if (essential[i]) {
        stores[i].leaveRow();
        Cell cell = stores[i].peek();
        if (cell != null && (first == null || comesBefore(cell, first))) {
          first = cell;
        }
      }
    }
    if (first == null || isBehindStop(first)) {
      return false;
    }
    rowLength = first.rowLength();
    if (row.length < rowLength) {
      row = new byte[rowLength * 2];
    }
    System.arraycopy(first.bytes(), first.rowOffset(), row, 0, rowLength);
    rowsScanned++;
    witness.rowBegins(row, rowLength);
    storeIndex = 0;
    stageIndex = 0;
    holding = false;
    emittedInRow = false;
    emittedBefore = false;
    if (staged) {
      stage.clear();
    }
    Cell firstInRow = null;
    for (int i = 0; i < stores.length; i++) {
      if (essential[i]) {
        if (stores[i].peek() == first) {
          stores[i].enterRow(row, rowLength, true);
        } else {
          stores[i].enterRow(row, rowLength);
        }
        if (firstInRow == null && stores[i].isInRow()) {
          firstInRow = stores[i].peek();
        }
      }
    }
    droppedByKey = filter.isPresent() && filter.get().filter().filterRowKey(firstInRow);
    if (!droppedByKey) {
      phase = staged ? Phase.STAGING : Phase.EMITTING;
    } else if (filter.get().filter().seesDroppedRows()) {
      phase = Phase.STAGING;
    } else {
      rowsFiltered++;
      if (filter.get().filter().filterAllRemaining()) {
        // As HBase counts: the row at which a filter ends the scan by its key is not scanned.
        rowsScanned--;
      }
      endRow(CellFate.FILTERED_ROW_KEY);
    }
    return true;
  }

  private boolean comesBefore(Cell a, Cell b) {
    int order = comparator.compareRows(a, b);
    return request.reversed() ? order > 0 : order < 0;
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
    if (stop.length > 0 && comparator.compareRows(row, 0, rowLength, stop, 0, stop.length) == 0) {
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
    while (storeIndex < stores.length) {
      StoreScanner store = stores[storeIndex];
      if (essential[storeIndex] && store.isInRow()) {
        StoreScanner.Step step = store.advance(budget);
        if (step == StoreScanner.Step.OUT_OF_TIME) {
          return false;
        }
        if (step == StoreScanner.Step.CELL) {
          stage.add(store.cell());
          continue;
        }
      }
      storeIndex++;
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
      stage = judge.filterRowCells(stage);
      witness.rowLeft(stage);
      emptied = CellFate.FILTERED_ROW;
    }
    if (!stage.isEmpty() && judge.filterRow()) {
      return false;
    }
    for (int i = 0; i < stores.length; i++) {
      if (!essential[i]) {
        stores[i].findRow(row, rowLength);
      }
    }
    storeIndex = 0;
    phase = Phase.EMITTING;
    return true;
  }

  /**
   * Hands out cells of the row. Returns {@link #NOTHING_LEFT} if it ends without any in this call.
   */
  private ScanProgress emit(CellBuffer out, ScanLimits limits) throws IOException {
    int firstCell = out.size();
    int firstByte = out.byteSize();
    boolean mayStop = limits.midRow() && !wholeRows;
    while (true) {
      if (!holding && mayTakePlain()) {
        takePlain(out, firstCell, firstByte, limits, mayStop);
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
              && taken > 0
              && limits.maxBytes() >= 0
              && ScanLimits.size(taken, out.byteSize() - firstByte) >= limits.maxBytes();
      if (batchFull || bytesFull) {
        holding = true;
        return batchFull ? ScanProgress.BATCH_FULL : ScanProgress.LIMIT_IN_ROW;
      }
      out.add(current);
      emittedInRow = true;
    }
  }

  private boolean mayTakePlain() {
    return storeIndex < stores.length
        && !(staged && essential[storeIndex])
        && stores[storeIndex].mayTakePlain();
  }

  /** Hands out what comes next and need not be looked at, as far as the limits allow. */
  private void takePlain(
      CellBuffer out, int firstCell, int firstByte, ScanLimits limits, boolean mayStop)
      throws IOException {
    int taken = out.size() - firstCell;
    int cellsMax = limits.maxCells() > 0 ? limits.maxCells() - taken : Integer.MAX_VALUE;
    long bytesMax =
        mayStop && limits.maxBytes() >= 0
            ? limits.maxBytes() - ScanLimits.size(taken, out.byteSize() - firstByte)
            : Long.MAX_VALUE;
    if (stores[storeIndex].takePlain(cellsMax, bytesMax, out) > 0) {
      emittedInRow = true;
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
    while (storeIndex < stores.length) {
      StoreScanner store = stores[storeIndex];
      if (staged && essential[storeIndex]) {
        if (isStagedNext(store.family())) {
          current = stagedView;
          stageIndex++;
          return StoreScanner.Step.CELL;
        }
      } else if (store.isInRow()) {
        StoreScanner.Step step = store.advance(budget);
        if (step != StoreScanner.Step.ROW_END) {
          current = store.cell();
          return step;
        }
      }
      storeIndex++;
    }
    return StoreScanner.Step.ROW_END;
  }

  private boolean isStagedNext(byte[] family) {
    if (stageIndex >= stage.size()) {
      return false;
    }
    stage.get(stageIndex, stagedView, 0);
    int from = stagedView.familyOffset();
    int to = from + stagedView.familyLength();
    return Arrays.compareUnsigned(stagedView.bytes(), from, to, family, 0, family.length) <= 0;
  }
}
