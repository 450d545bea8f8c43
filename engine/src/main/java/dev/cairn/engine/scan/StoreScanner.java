package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.CellCursor;
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
  private static final int STEPS_BEFORE_SEEK = 6;

  private final CellComparator comparator;
  private final CellCursor cursor;
  private final byte[] family;
  private final boolean reversed;
  private final boolean raw;
  private final boolean seePastMarkers;
  private final TimeRange timeRange;
  private final ColumnSelector columns;
  private final Expiry expiry;
  private final int minVersions;
  private final DeleteTracker deletes;
  private final VersionCounter versions;
  private final int maxResultVersions;
  private final int cellsLimit;
  private final int cellsOffset;
  private final Optional<FilterRun> filter;
  private final SeekKey key = new SeekKey();
  private final ColumnMark column = new ColumnMark();

  private byte[] row;
  private int rowLength;
  private boolean inRow;
  private boolean rowDone;

  /** Whether the cell that the cursor stands on has been dealt with. */
  private boolean consumed;

  private boolean columnDone;
  private int steps;
  private int resultVersions;
  private int cellsInRow;
  private Optional<Cell> skipUntil = Optional.empty();
  private Optional<byte[]> rowHint = Optional.empty();
  private Cell result;

  StoreScanner(
      ScanRequest request,
      FamilySchema family,
      CellCursor cursor,
      CellComparator comparator,
      long now,
      Optional<FilterRun> filter) {
    FamilySelection selection = request.families().getOrDefault(family.name(), FamilySelection.ALL);
    this.comparator = comparator;
    this.cursor = cursor;
    this.family = family.name();
    this.reversed = request.reversed();
    this.raw = request.raw();
    this.seePastMarkers = family.keepDeletedCells() != FamilySchema.KeepDeletedCells.FALSE;
    this.timeRange = selection.timeRange().orElse(request.timeRange());
    this.columns = new ColumnSelector(selection.qualifiers());
    this.expiry = raw ? Expiry.ofCellsOnly(now) : Expiry.of(family, now);
    this.minVersions = family.minVersions();
    this.deletes =
        family.newVersionBehavior()
            ? new WriteOrderDeletes(family.maxVersions())
            : new ClassicDeletes();
    this.maxResultVersions =
        raw ? request.maxVersions() : Math.min(request.maxVersions(), family.maxVersions());
    this.versions =
        new VersionCounter(
            filter.isPresent() && !raw ? family.maxVersions() : maxResultVersions, minVersions);
    this.cellsLimit = request.cellsPerFamilyLimit() == 0 ? 1 : request.cellsPerFamilyLimit();
    this.cellsOffset = request.cellsPerFamilyOffset();
    this.filter = filter;
  }

  /** Returns the family's name. */
  byte[] family() {
    return family;
  }

  /** Goes to the first row at or (in the scan's direction) behind a row; any row, if empty. */
  void open(byte[] start, boolean include) throws IOException {
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
    return cursor.cell();
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
    row = bytes;
    rowLength = length;
    Cell cell = cursor.cell();
    inRow = cell != null && cell.rowEquals(row, 0, rowLength);
    if (!inRow) {
      return;
    }
    if (reversed) {
      cursor.seek(key.firstOnRow(row, rowLength));
    }
    rowDone = false;
    consumed = false;
    columnDone = false;
    steps = 0;
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
            && cell != null
            && comparator.compareRows(
                    cell.bytes(), cell.rowOffset(), cell.rowLength(), bytes, 0, length)
                > 0;
    if (!ahead) {
      cursor.seek(key.firstOnRow(bytes, length));
    }
    enterRow(bytes, length);
  }

  /** Goes on to the next row in the scan's direction. Does nothing outside a row. */
  void leaveRow() throws IOException {
    if (!inRow) {
      return;
    }
    inRow = false;
    if (rowHint.isPresent()) {
      byte[] hint = rowHint.get();
      open(hint, true);
    } else if (reversed) {
      cursor.seekBefore(key.firstOnRow(row, rowLength));
    } else {
      Cell cell = cursor.cell();
      for (int i = 0; i < STEPS_BEFORE_SEEK; i++) {
        if (cell == null || !cell.rowEquals(row, 0, rowLength)) {
          return;
        }
        cursor.next();
        cell = cursor.cell();
      }
      if (cell != null && cell.rowEquals(row, 0, rowLength)) {
        cursor.seek(key.afterFamily(row, rowLength, family));
      }
    }
  }

  /** Goes to the next cell of the row. */
  Step advance(WorkBudget budget) throws IOException {
    while (!rowDone && !(filter.isPresent() && filter.get().isFinished())) {
      if (consumed) {
        cursor.next();
        consumed = false;
      }
      Cell cell = cursor.cell();
      if (cell == null) {
        break;
      }
      boolean sameColumn = column.matches(cell);
      if (!sameColumn && !cell.rowEquals(row, 0, rowLength)) {
        break;
      }
      if (budget.isSpent()) {
        return Step.OUT_OF_TIME;
      }
      consumed = true;
      if (!sameColumn) {
        startColumn(cell);
      }
      if (columnDone) {
        passOver(cell);
      } else if (judge(cell)) {
        return Step.CELL;
      }
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
  }

  private void startColumn(Cell cell) {
    column.set(cell);
    deletes.startColumn();
    versions.startColumn();
    resultVersions = 0;
    columnDone = false;
    switch (columns.check(cell)) {
      case WANTED -> steps = 0;
      case SKIP -> columnDone = true;
      case NO_MORE -> rowDone = true;
    }
    columnDone = columnDone || rowDone;
  }

  /** Nothing more is wanted of the column of {@code cell}. */
  private void finishColumn(Cell cell) {
    columnDone = true;
    if (!columns.finishColumn(cell)) {
      rowDone = true;
    }
  }

  private void passOver(Cell cell) throws IOException {
    if (cell.qualifierLength() == 0) {
      if (!raw && isFamilyMarker(cell.typeCode()) && !expiry.isExpiredByTag(cell)) {
        track(cell);
      }
    } else if (!rowDone && ++steps > STEPS_BEFORE_SEEK) {
      cursor.seek(
          columns.isExplicit() ? key.firstOnColumn(cell, columns.wanted()) : key.afterColumn(cell));
      consumed = false;
      steps = 0;
    }
  }

  /** Decides about a cell of a wanted column. Returns whether it is part of the result. */
  private boolean judge(Cell cell) throws IOException {
    long timestamp = cell.timestamp();
    boolean expired = expiry.isExpired(timestamp);
    if (expired && minVersions == 0) {
      finishColumn(cell);
      return false;
    }
    if (expiry.isExpiredByTag(cell)) {
      return false;
    }
    if (!raw) {
      if (cell.isDelete()) {
        if (track(cell)) {
          finishColumn(cell);
        }
        return false;
      }
      DeleteTracker.Verdict verdict = deletes.check(cell);
      if (verdict != DeleteTracker.Verdict.VISIBLE) {
        if (verdict == DeleteTracker.Verdict.COLUMN_HIDDEN) {
          finishColumn(cell);
        }
        return false;
      }
    }
    if (!timeRange.contains(timestamp)) {
      if (timestamp < timeRange.from()) {
        finishColumn(cell);
      }
      return false;
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
    boolean counts = seePastMarkers ? timeRange.contains(timestamp) : timestamp >= timeRange.from();
    return counts && deletes.add(marker);
  }

  private boolean judgeVersion(Cell cell, long timestamp, boolean expired) throws IOException {
    switch (versions.check(timestamp, cell.typeCode(), expired)) {
      case SKIP -> {
        return false;
      }
      case COLUMN_DONE -> {
        finishColumn(cell);
        return false;
      }
      default -> {
        // Goes on below.
      }
    }
    boolean last = !raw && versions.isFull();
    if (filter.isEmpty()) {
      if (last) {
        finishColumn(cell);
      }
      return take(cell);
    }
    return judgeByFilter(cell, last, filter.get());
  }

  private boolean judgeByFilter(Cell cell, boolean last, FilterRun run) throws IOException {
    ScanFilter.Decision decision = run.decide(cell);
    switch (decision) {
      case SKIP -> {
        if (last) {
          finishColumn(cell);
        }
        return false;
      }
      case NEXT_COLUMN -> {
        finishColumn(cell);
        return false;
      }
      case NEXT_ROW -> {
        rowDone = true;
        return false;
      }
      case SEEK_TO_HINT -> {
        run.filter().hint(cell).ifPresent(hint -> follow(hint, cell));
        return false;
      }
      default -> {
        // Takes the cell, below.
      }
    }
    resultVersions += cell.isDelete() ? 0 : 1;
    boolean wanted = resultVersions <= maxResultVersions;
    Cell taken = wanted ? run.filter().transform(cell) : cell;
    if (decision == ScanFilter.Decision.INCLUDE_AND_NEXT_ROW) {
      rowDone = true;
    } else if (last || !wanted || decision == ScanFilter.Decision.INCLUDE_AND_NEXT_COLUMN) {
      finishColumn(cell);
    }
    return wanted && take(taken);
  }

  /**
   * Applies the request's limit and offset of cells per row and family. A limit of 0 is one of 1,
   * as in HBase, which looks at the limit when it has taken a cell.
   */
  private boolean take(Cell cell) {
    cellsInRow++;
    int taken = cellsInRow - cellsOffset;
    if (taken <= 0) {
      return false;
    }
    // A filter sees nothing of what follows, as in HBase.
    rowDone = rowDone || cellsLimit >= 0 && taken >= cellsLimit;
    result = cell;
    return true;
  }

  private void follow(Cell hint, Cell cell) {
    int rows = comparator.compareRows(hint, cell);
    if (rows != 0) {
      if (reversed == rows < 0) {
        rowDone = true;
        rowHint = Optional.of(hint.row());
      }
    } else if (comparator.compareKeys(hint, cell) > 0) {
      if (hint.sameFamily(cell)) {
        skipUntil = Optional.of(hint.copy());
      } else {
        rowDone = true;
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
    if (cell.qualifierLength() > 0 && !cell.sameColumn(hint)) {
      cursor.seek(key.firstOnColumn(hint));
      consumed = false;
    }
    return true;
  }

  private static boolean isFamilyMarker(int type) {
    return type == CellType.DELETE_FAMILY.code() || type == CellType.DELETE_FAMILY_VERSION.code();
  }
}
