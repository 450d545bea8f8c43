package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.PlainCells;
import dev.cairn.engine.schema.FamilySchema;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads one family of a region, row by row: of each row the cells that delete markers, TTL, time
 * range, column selection, versions and the filter let through.
 *
 * <p>A cell goes through the checks in HBase's order: expiry, delete markers, time range, column,
 * the family's VERSIONS, filter, and last the versions that the request asks for. So with a filter
 * the request's number counts what the filter took, and the filter sees each column down to the
 * family's VERSIONS.
 *
 * <p>Family markers lie in the column with the empty qualifier and concern all others; that column
 * is therefore never jumped over, wanted or not.
 *
 * <p>Rows are left lazily: a read of one row does not look for the next one.
 *
 * <p>It may serve one read after another: {@link #begin} starts one, {@link #forget} lets go of all
 * that belonged to it.
 */
final class StoreScanner {
  /** How {@link #advance} came back. */
  enum Step {
    /** {@link #cell} is the next cell of the row. */
    CELL,
    /** The row has no more cells. */
    ROW_END,
    /** The time is over; the row goes on where it stopped. */
    OUT_OF_TIME
  }

  /** How many unwanted cells are stepped over before a seek is thought cheaper. */
  private static final int STEPS_BEFORE_SEEK = 3;

  /** How many cells are judged one by one before the cursor is asked again for plain ones. */
  private static final int STEPS_BEFORE_PLAIN = 8;

  private final CellComparator comparator;
  private final MergingCursor merge;
  private final ColumnSelector columns = new ColumnSelector();
  private final VersionCounter versions = new VersionCounter();
  private final SeekKey key = new SeekKey();
  private final ColumnMark column = new ColumnMark();
  private final FateCounts counts;

  // What begin() is told, and what follows from it.
  private FamilySchema schema;
  private CellCursor cursor;
  private byte[] family;
  private boolean reversed;
  private boolean raw;
  private boolean seePastMarkers;
  private TimeRange timeRange;
  private long now;
  private Expiry expiry;
  private int minVersions;
  private DeleteTracker deletes;
  private int maxResultVersions;
  private int cellsLimit;
  private int cellsOffset;
  private Optional<FilterRun> filter = Optional.empty();
  private ValueSource values;
  private boolean hasOwnValues;
  private boolean filterReadsValues;
  private boolean referencesOnly;
  private Optional<ScanWitness.Family> witness = Optional.empty();

  /** What {@link #judge} takes of a new column, where the row's markers leave all of it alone. */
  private PlainCells plain = PlainCells.ANY;

  /** Whether nothing is asked for that could keep a plain cell out of the result. */
  private boolean takesPlain;

  private byte[] row = Bytes.EMPTY;
  private int rowLength;

  /**
   * Whether the cursor has been placed by {@link #findRow}, and is at the end if it has no cell.
   */
  private boolean found;

  private boolean inRow;
  private boolean rowDone;

  /** Whether the cursor has been seen to stand behind the row. */
  private boolean rowPassed;

  /** Whether the row is done because as many of its cells were taken as are wanted. */
  private boolean rowFull;

  /** Whether the filter has said that nothing more is wanted; no cell comes after that. */
  private boolean ended;

  /** Whether the cell that the cursor stands on has been dealt with. */
  private boolean consumed;

  private boolean columnDone;

  /** Why the column is done, if it is. */
  private CellFate columnRest = CellFate.COLUMN_NOT_ASKED;

  private int steps;
  private int stepsToPlain;
  private int resultVersions;
  private int cellsInRow;
  private Optional<Cell> skipUntil = Optional.empty();
  private Optional<byte[]> rowHint = Optional.empty();
  private Cell result;

  /** Creates a scanner that reads nothing before {@link #begin}, and counts in {@code counts}. */
  StoreScanner(CellComparator comparator, FateCounts counts) {
    this.comparator = comparator;
    this.counts = counts;
    this.merge = MergingCursor.spare(comparator);
  }

  /** Begins a read of a family, whose sources it owns until it is closed. */
  void begin(
      ScanRequest request,
      StoreSource source,
      long readPoint,
      long moment,
      Optional<FilterRun> run) {
    CellCursor all = merge.over(source.cursors());
    cursor = source.hasNewer() ? ReadPointCursor.of(all, readPoint) : all;
    values = source.values();
    hasOwnValues = values == ValueSource.NONE;
    witness = source.witness();
    filter = run;
    filterReadsValues = filter.isPresent() && filter.get().filter().readsValues();
    boolean asBefore = schema == source.family() && raw == request.raw();
    if (!asBefore || now != moment) {
      // Whoever reads row after row does so many times in a millisecond.
      expiry = request.raw() ? Expiry.ofCellsOnly(moment) : Expiry.of(source.family(), moment);
      now = moment;
    }
    raw = request.raw();
    if (schema != source.family()) {
      become(source.family());
    }
    FamilySelection selection = request.families().getOrDefault(family, FamilySelection.ALL);
    timeRange = selection.timeRange().orElse(request.timeRange());
    columns.begin(selection.qualifiers());
    reversed = request.reversed();
    maxResultVersions =
        raw ? request.maxVersions() : Math.min(request.maxVersions(), schema.maxVersions());
    versions.begin(
        filter.isPresent() && !raw ? schema.maxVersions() : maxResultVersions, minVersions);
    // HBase looks at the limit once it has taken a cell, so that none means one.
    cellsLimit = request.cellsPerFamilyLimit() == 0 ? 1 : request.cellsPerFamilyLimit();
    cellsOffset = request.cellsPerFamilyOffset();
    referencesOnly = request.mob().referencesOnly();
    plain =
        plain.with(
            Math.max(timeRange.from(), expiry.oldestLiving()),
            timeRange.last(),
            source.hasNewer() ? readPoint : Long.MAX_VALUE);
    takesPlain =
        !columns.isExplicit()
            && maxResultVersions > 0
            && cellsLimit < 0
            && cellsOffset == 0
            && filter.isEmpty()
            && hasOwnValues
            && !referencesOnly
            && witness.isEmpty();
    found = false;
    inRow = false;
    rowDone = false;
    rowFull = false;
    ended = false;
    consumed = false;
    columnDone = false;
    skipUntil = Optional.empty();
    rowHint = Optional.empty();
  }

  private void become(FamilySchema other) {
    schema = other;
    family = other.name();
    seePastMarkers = other.keepDeletedCells() != FamilySchema.KeepDeletedCells.FALSE;
    minVersions = other.minVersions();
    deletes =
        other.newVersionBehavior()
            ? new WriteOrderDeletes(other.maxVersions())
            : new ClassicDeletes();
  }

  /**
   * Lets go of the read that has been closed: its sources may be gone before this is used again.
   */
  void forget() {
    merge.forget();
    cursor = merge;
    columns.begin(FamilySelection.ALL.qualifiers());
    values = ValueSource.NONE;
    witness = Optional.empty();
    filter = Optional.empty();
    skipUntil = Optional.empty();
    rowHint = Optional.empty();
    row = Bytes.EMPTY;
    result = null;
    if (schema != null && deletes.isLarge()) {
      schema = null;
      deletes = null;
    }
    key.trim();
    column.trim();
  }

  /** Returns the family's name. */
  byte[] family() {
    return family;
  }

  /** Goes to the first row at or (in the scan's direction) behind a row; any row, if empty. */
  void open(byte[] start, boolean include) throws IOException {
    counts.addSeek();
    if (!reversed) {
      cursor.seek(
          include
              ? key.firstOnRow(start, start.length)
              : key.afterFamily(start, start.length, family));
    } else if (start.length == 0) {
      byte[] last = new byte[Cell.MAX_ROW_LENGTH];
      Arrays.fill(last, (byte) 0xFF);
      cursor.seekBefore(key.afterFamily(last, last.length, family));
    } else {
      cursor.seekBefore(
          include
              ? key.afterFamily(start, start.length, family)
              : key.firstOnRow(start, start.length));
    }
  }

  /** Returns some cell of the row that comes next, null if there is none. */
  Cell peek() {
    return ended ? null : cursor.cell();
  }

  /** Tells whether the row that was begun last has cells here. */
  boolean isInRow() {
    return inRow;
  }

  /**
   * Begins a row, to whose cells the scanner stands no farther than at the first (or anywhere in
   * it, if reversed). The array stays the caller's and as it is until the row is left.
   */
  void enterRow(byte[] bytes, int length) throws IOException {
    Cell cell = cursor.cell();
    enterRow(bytes, length, !ended && cell != null && cell.rowEquals(bytes, 0, length));
  }

  /** As the other one, if it is known already whether the scanner stands in the row. */
  void enterRow(byte[] bytes, int length, boolean standsThere) throws IOException {
    row = bytes;
    rowLength = length;
    inRow = standsThere;
    rowPassed = false;
    if (!inRow) {
      return;
    }
    if (reversed) {
      seek(key.firstOnRow(row, rowLength));
    }
    rowDone = false;
    rowFull = false;
    consumed = false;
    columnDone = false;
    steps = 0;
    stepsToPlain = 0;
    cellsInRow = 0;
    skipUntil = Optional.empty();
    rowHint = Optional.empty();
    column.clear();
    columns.startRow();
    deletes.startRow();
  }

  /** As {@link #enterRow}, from wherever the scanner stands. */
  void findRow(byte[] bytes, int length) throws IOException {
    Cell cell = cursor.cell();
    boolean ahead =
        !reversed
            && found
            && (cell == null
                || comparator.compareRows(
                        cell.bytes(), cell.rowOffset(), cell.rowLength(), bytes, 0, length)
                    > 0);
    if (!ahead) {
      seek(key.firstOnRow(bytes, length));
      found = true;
    }
    enterRow(bytes, length);
  }

  /** Goes on to the next row in the scan's direction. Does nothing outside a row. */
  void leaveRow() throws IOException {
    if (!inRow || ended) {
      return;
    }
    inRow = false;
    if (rowHint.isPresent()) {
      byte[] hint = rowHint.get();
      open(hint, true);
    } else if (reversed) {
      counts.addSeek();
      cursor.seekBefore(key.firstOnRow(row, rowLength));
    } else {
      Cell cell = cursor.cell();
      for (int i = 0; i < STEPS_BEFORE_SEEK; i++) {
        if (rowPassed || cell == null || !cell.rowEquals(row, 0, rowLength)) {
          return;
        }
        // What a scan that is watched does depends on nothing that happens to be cached.
        if (witness.isEmpty() && cursor.skipRow()) {
          return;
        }
        cursor.next();
        cell = cursor.cell();
      }
      if (cell != null && cell.rowEquals(row, 0, rowLength)) {
        seek(key.afterFamily(row, rowLength, family));
      }
    }
  }

  /** Tells whether {@link #takePlain} may find anything. To be asked before each cell. */
  boolean mayTakePlain() {
    if (stepsToPlain > 0) {
      stepsToPlain--;
      return false;
    }
    return takesPlain && inRow && !rowDone && deletes.isIdle();
  }

  /**
   * Appends the cells that come next, as far as they are known to be part of the result without a
   * look at each: {@link #judge} would take them all, being the first of their columns. What
   * follows, and the state that it is judged by, is as if they had been judged.
   *
   * @param cellsMax the most cells
   * @param bytesMax see {@link CellCursor#takePlain}
   * @return how many, 0 or more
   */
  int takePlain(int cellsMax, long bytesMax, CellBuffer out) throws IOException {
    if (consumed) {
      cursor.next();
      consumed = false;
    }
    Cell cell = cursor.cell();
    // Before the first cell of a row nothing is remembered; that it is the row's has been seen.
    if (cell == null || !column.isClear() && column.compare(cell) != ColumnMark.SAME_ROW) {
      return 0;
    }
    int taken = cursor.takePlain(plain, PlainCells.NO_END, cellsMax, bytesMax, out);
    stepsToPlain = taken > 0 ? 0 : STEPS_BEFORE_PLAIN;
    counts.addReturned(taken);
    return taken;
  }

  /** Goes to the next cell of the row. */
  Step advance(WorkBudget budget) throws IOException {
    while (!rowFull && !isEnded() && !rowDone) {
      if (consumed) {
        cursor.next();
        consumed = false;
      }
      Cell cell = cursor.cell();
      if (cell == null) {
        break;
      }
      int common = column.compare(cell);
      if (common == ColumnMark.OTHER && !(column.isClear() && cell.rowEquals(row, 0, rowLength))) {
        rowPassed = true;
        break;
      }
      boolean sameColumn = common == ColumnMark.SAME_COLUMN;
      if (budget.isSpent()) {
        return Step.OUT_OF_TIME;
      }
      consumed = true;
      if (witness.isPresent()) {
        witness.get().looked(cell);
      }
      if (!sameColumn) {
        startColumn(cell);
      }
      if (columnDone) {
        passOver(cell);
      } else if (judge(cell)) {
        return Step.CELL;
      }
    }
    if (!rowDone && !rowFull && ended) {
      endRow(CellFate.FILTER_ENDED);
    }
    rowDone = true;
    return Step.ROW_END;
  }

  /** Returns the cell at which {@link #advance} stopped; valid until the next call. */
  Cell cell() {
    return result;
  }

  void close() {
    cursor.close();
    values.close();
  }

  private void startColumn(Cell cell) {
    column.set(cell);
    deletes.startColumn();
    versions.startColumn();
    resultVersions = 0;
    columnDone = false;
    switch (columns.check(cell)) {
      case WANTED -> steps = 0;
      case SKIP -> endColumn(CellFate.COLUMN_NOT_ASKED);
      case NO_MORE -> {
        endColumn(CellFate.COLUMN_NOT_ASKED);
        endRow(CellFate.COLUMN_NOT_ASKED);
      }
    }
  }

  /** Nothing more is wanted of the column of {@code cell}, for that reason. */
  private void finishColumn(Cell cell, CellFate rest) {
    endColumn(rest);
    if (!columns.finishColumn(cell)) {
      endRow(CellFate.COLUMN_NOT_ASKED);
    }
  }

  private void endColumn(CellFate rest) {
    columnDone = true;
    columnRest = rest;
    if (witness.isPresent()) {
      witness.get().columnEnds(rest);
    }
  }

  private void endRow(CellFate rest) {
    rowDone = true;
    if (witness.isPresent()) {
      witness.get().rowEnds(rest);
    }
  }

  /** Says what became of a cell that is not returned. Returns false. */
  private boolean hide(Cell cell, CellFate fate) {
    counts.add(fate);
    if (witness.isPresent()) {
      witness.get().judged(cell, fate);
    }
    return false;
  }

  /** As {@link #hide}, and the same holds of all that follows of the column. */
  private boolean hideRest(Cell cell, CellFate fate) {
    hide(cell, fate);
    finishColumn(cell, fate);
    return false;
  }

  private void seek(Cell to) throws IOException {
    counts.addSeek();
    cursor.seek(to);
  }

  private void passOver(Cell cell) throws IOException {
    if (cell.qualifierLength() == 0) {
      if (!raw && isFamilyMarker(cell.typeCode()) && !expiry.isExpiredByTag(cell)) {
        track(cell);
        return;
      }
    } else if (!rowDone && ++steps > STEPS_BEFORE_SEEK) {
      counts.add(columnRest);
      seek(
          columns.isExplicit() ? key.firstOnColumn(cell, columns.wanted()) : key.afterColumn(cell));
      consumed = false;
      steps = 0;
      return;
    }
    counts.add(columnRest);
  }

  /** Decides about a cell of a wanted column. Returns whether it is part of the result. */
  private boolean judge(Cell cell) throws IOException {
    long timestamp = cell.timestamp();
    boolean expired = expiry.isExpired(timestamp);
    if (expired && minVersions == 0) {
      return hideRest(cell, CellFate.FAMILY_TTL);
    }
    if (expiry.isExpiredByTag(cell)) {
      return hide(cell, CellFate.CELL_TTL);
    }
    if (!raw) {
      if (cell.isDelete()) {
        if (track(cell)) {
          finishColumn(cell, CellFate.COLUMN_DELETED);
        }
        return false;
      }
      DeleteTracker.Verdict verdict = deletes.check(cell);
      if (verdict != DeleteTracker.Verdict.VISIBLE) {
        return verdict.endsColumn() ? hideRest(cell, verdict.fate()) : hide(cell, verdict.fate());
      }
    }
    if (!timeRange.contains(timestamp)) {
      return timestamp < timeRange.from()
          ? hideRest(cell, CellFate.TIME_RANGE)
          : hide(cell, CellFate.TIME_RANGE);
    }
    if (skipUntil.isPresent() && isBeforeHint(cell)) {
      return false;
    }
    return judgeVersion(cell, timestamp, expired);
  }

  /** Counts a marker in, if it counts. Returns whether it hides all that follows of its column. */
  private boolean track(Cell marker) {
    long timestamp = marker.timestamp();
    // A family that keeps deleted cells shows the past as it was, before later markers.
    boolean counting =
        seePastMarkers ? timeRange.contains(timestamp) : timestamp >= timeRange.from();
    hide(marker, counting ? CellFate.MARKER : CellFate.MARKER_NOT_COUNTED);
    return counting && deletes.add(marker);
  }

  private boolean judgeVersion(Cell cell, long timestamp, boolean expired) throws IOException {
    switch (versions.check(timestamp, cell.typeCode(), expired)) {
      case OVERWRITTEN -> {
        return hide(cell, CellFate.OVERWRITTEN);
      }
      case FULL -> {
        return hideRest(cell, CellFate.VERSION_LIMIT);
      }
      case EXPIRED -> {
        return hideRest(cell, CellFate.FAMILY_TTL);
      }
      default -> {
        // Goes on below.
      }
    }
    boolean last = !raw && versions.isFull();
    if (referencesOnly && !CellTags.has(cell, CellTags.MOB_REFERENCE)) {
      hide(cell, CellFate.NO_REFERENCE);
      if (last) {
        finishColumn(cell, CellFate.VERSION_LIMIT);
      }
      return false;
    }
    if (filter.isEmpty()) {
      boolean kept = take(cell, cell);
      if (last) {
        finishColumn(cell, CellFate.VERSION_LIMIT);
      }
      return kept;
    }
    Cell shown = hasOwnValues || !filterReadsValues ? cell : values.resolve(cell);
    return judgeByFilter(cell, shown, last, filter.get());
  }

  /**
   * Lets the filter decide about a cell.
   *
   * @param shown the cell as the filter sees it, perhaps with a value from elsewhere
   */
  private boolean judgeByFilter(Cell cell, Cell shown, boolean last, FilterRun run)
      throws IOException {
    ScanFilter.Decision decision = run.decide(shown);
    switch (decision) {
      case SKIP -> {
        hide(cell, CellFate.FILTERED);
        if (last) {
          finishColumn(cell, CellFate.VERSION_LIMIT);
        }
        return false;
      }
      case NEXT_COLUMN -> {
        hide(cell, CellFate.FILTERED);
        finishColumn(cell, CellFate.FILTERED_COLUMN);
        return false;
      }
      case NEXT_ROW -> {
        hide(cell, CellFate.FILTERED);
        endRow(CellFate.FILTERED_REST_OF_ROW);
        return false;
      }
      case SEEK_TO_HINT -> {
        hide(cell, CellFate.FILTERED);
        run.hint(shown).ifPresent(hint -> follow(hint, cell));
        return false;
      }
      default -> {
        // Takes the cell, below.
      }
    }
    resultVersions += cell.isDelete() ? 0 : 1;
    boolean wanted = resultVersions <= maxResultVersions;
    Cell taken = wanted ? run.filter().transform(shown) : shown;
    boolean kept = wanted ? take(cell, taken) : hide(cell, CellFate.VERSION_LIMIT);
    if (decision == ScanFilter.Decision.INCLUDE_AND_NEXT_ROW) {
      endRow(CellFate.FILTERED_REST_OF_ROW);
    } else if (last || !wanted || decision == ScanFilter.Decision.INCLUDE_AND_NEXT_COLUMN) {
      finishColumn(cell, last || !wanted ? CellFate.VERSION_LIMIT : CellFate.FILTERED_COLUMN);
    }
    return kept;
  }

  /**
   * Applies the request's limit and offset of cells per row and family.
   *
   * @param taken what is to be returned for {@code cell}
   */
  private boolean take(Cell cell, Cell taken) throws IOException {
    cellsInRow++;
    int number = cellsInRow - cellsOffset;
    if (cellsLimit >= 0 && number > cellsLimit) {
      hide(cell, CellFate.LIMIT);
    } else if (number <= 0) {
      hide(cell, CellFate.OFFSET);
    } else {
      result = hasOwnValues ? taken : values.resolve(taken);
      counts.add(CellFate.RETURNED);
      if (witness.isPresent()) {
        witness.get().judged(cell, CellFate.RETURNED);
      }
    }
    if (cellsLimit >= 0 && number >= cellsLimit) {
      rowFull = true;
      if (witness.isPresent()) {
        witness.get().rowEnds(CellFate.LIMIT);
      }
    }
    return number > 0 && (cellsLimit < 0 || number <= cellsLimit);
  }

  private boolean isEnded() {
    ended = ended || filter.isPresent() && filter.get().isFinished();
    return ended;
  }

  private void follow(Cell hint, Cell cell) {
    int rows = comparator.compareRows(hint, cell);
    if (rows != 0) {
      if (reversed == rows < 0) {
        endRow(CellFate.FILTER_SKIPPED);
        rowHint = Optional.of(hint.row());
      }
    } else if (comparator.compareKeys(hint, cell) > 0) {
      if (hint.sameFamily(cell)) {
        skipUntil = Optional.of(hint.copy());
      } else {
        endRow(CellFate.FILTER_SKIPPED);
      }
    }
  }

  /** Passes over a cell that lies before the filter's hint; markers on the way have been seen. */
  private boolean isBeforeHint(Cell cell) throws IOException {
    Cell hint = skipUntil.get();
    if (comparator.compareKeys(cell, hint) >= 0) {
      skipUntil = Optional.empty();
      return false;
    }
    hide(cell, CellFate.FILTER_SKIPPED);
    if (cell.qualifierLength() > 0 && !cell.sameColumn(hint)) {
      seek(key.firstOnColumn(hint));
      consumed = false;
    }
    return true;
  }

  private static boolean isFamilyMarker(int type) {
    return type == CellType.DELETE_FAMILY.code() || type == CellType.DELETE_FAMILY_VERSION.code();
  }
}
