package dev.cairn.engine.scan.row;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.cursor.SeekKey;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.ValueSource;
import dev.cairn.engine.scan.match.ColumnMark;
import dev.cairn.engine.scan.match.FilterEvaluation;
import dev.cairn.engine.scan.match.OutcomeRecorder;
import dev.cairn.engine.scan.match.ScanQueryMatcher;
import dev.cairn.engine.scan.merge.CellByCellCursor;
import dev.cairn.engine.scan.merge.MergingCursor;
import dev.cairn.engine.scan.merge.ReadPointCursor;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads one family of a region, row by row. Asks {@link ScanQueryMatcher} which cells to return;
 * seeks past finished rows and columns.
 *
 * <p>Family markers lie in the column with the empty qualifier and concern all others; that column
 * is therefore never jumped over, wanted or not.
 *
 * <p>Rows are left lazily: a read of one row does not look for the next one.
 *
 * <p>It may serve one read after another: {@link #begin} starts one, {@link #forget} releases all
 * that belonged to it.
 */
final class StoreScanner {
  /** The result of {@link #advance}. */
  enum Step {
    /** {@link #cell} is the next cell of the row. */
    CELL,
    /** The row has no more cells. */
    ROW_END,
    /** The time is over; the row continues where it stopped. */
    OUT_OF_TIME
  }

  /** The number of unwanted cells that are skipped one by one before a seek is cheaper. */
  private static final int STEPS_BEFORE_SEEK = 3;

  /** The number of cells that are matched one by one before the cursor is asked again for a run. */
  private static final int STEPS_BEFORE_RUN = 8;

  private final CellComparator comparator;
  private final RowKey row;
  private final MergingCursor merge;
  private final OutcomeRecorder fates = new OutcomeRecorder();
  private final ScanQueryMatcher matcher;
  private final SeekKey key = new SeekKey();
  private final ColumnMark column = new ColumnMark();

  // The arguments of begin().
  private CellCursor cursor;
  private Optional<ScanObserver> observer = Optional.empty();
  private ValueSource values = ValueSource.NONE;
  private byte[] family;
  private boolean reversed;

  /** True if {@link #findRow} has placed the cursor; without a cell, the cursor is at the end. */
  private boolean found;

  private boolean inRow;

  /** True if the cursor is known to be after the row. */
  private boolean rowPassed;

  /** True if the cursor's current cell has been handled. */
  private boolean consumed;

  private int steps;
  private int stepsToRun;

  /** The key of the cursor's cell at the last {@link #detach}; empty if it had none. */
  private Optional<Cell> place = Optional.empty();

  /**
   * Creates a scanner that reads nothing before {@link #begin}.
   *
   * @param row the key of the current row; changes between two rows only
   */
  StoreScanner(CellComparator comparator, RowKey row) {
    this.comparator = comparator;
    this.row = row;
    this.merge = MergingCursor.spare(comparator);
    this.matcher = new ScanQueryMatcher(comparator, fates);
  }

  /** Begins a read of a family, whose sources it owns until it is closed. */
  void begin(
      ScanRequest request,
      StoreSource source,
      long readPoint,
      long moment,
      Optional<FilterEvaluation> filter)
      throws IOException {
    observer = request.observer();
    fates.clear();
    use(source, readPoint);
    family = source.family().name();
    reversed = request.reversed();
    matcher.begin(request, source, readPoint, moment, filter);
    found = false;
    inRow = false;
    consumed = false;
    place = Optional.empty();
  }

  private void use(StoreSource source, long readPoint) {
    CellCursor all = merge.over(source.cursors());
    cursor = source.hasNewer() ? ReadPointCursor.of(all, readPoint) : all;
    values = source.values();
    if (observer.isPresent()) {
      cursor = new CellByCellCursor(cursor);
      fates.observe(Optional.of(observer.get().family(source)));
    }
  }

  /**
   * Closes the source and releases its cells, but remembers the place. Nothing may be read before
   * {@link #attach}.
   *
   * @param keepsCell whether {@link #cell} is still needed after {@link #attach}
   */
  void detach(boolean keepsCell) {
    place = Optional.ofNullable(cursor.cell()).map(Cell::copyOfKey);
    close();
    releaseSource();
    matcher.detach(keepsCell);
  }

  /**
   * Continues with another source at the place that {@link #detach} remembered. The source has the
   * same cells up to the read point, but may lack cells that are visible to no reader any more.
   *
   * @param keptCell as for {@link #detach}
   * @throws IOException also if the needed cell is missing
   */
  void attach(StoreSource source, long readPoint, boolean keptCell) throws IOException {
    use(source, readPoint);
    matcher.attach(source, readPoint);
    if (place.isPresent()) {
      Cell at = place.get();
      place = Optional.empty();
      fates.searched();
      if (reversed && !inRow) {
        // The place is within the next row.
        byte[] next = at.row();
        cursor.seekBefore(key.afterFamily(next, next.length, family));
      } else {
        // The next cell is unprocessed, unless it is the cell at the place.
        consumed &= cursor.seek(at) && comparator.compare(cursor.cell(), at) == 0;
      }
      if (keptCell && !consumed) {
        throw new IOException(
            "The cell "
                + at
                + " is missing, but an open scan must still return it. Start the scan again");
      }
    }
    if (keptCell) {
      matcher.restoreResult(cursor.cell());
    }
  }

  /**
   * Lets go of the read that has been closed: its sources may be gone before this is used again.
   */
  void forget() {
    releaseSource();
    observer = Optional.empty();
    place = Optional.empty();
    matcher.forget();
    key.trim();
    column.trim();
  }

  private void releaseSource() {
    merge.forget();
    cursor = merge;
    values = ValueSource.NONE;
    fates.observe(Optional.empty());
  }

  /** Returns the outcomes of the family's cells. */
  OutcomeRecorder outcomes() {
    return fates;
  }

  /** Returns the family's name. */
  byte[] family() {
    return family;
  }

  /** Moves to the first row at or (in the scan's direction) after a row; to any row, if empty. */
  void open(byte[] start, boolean include) throws IOException {
    fates.searched();
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

  /** Leaves the row, and moves to the first row at or (in the scan's direction) after another. */
  void goTo(byte[] target) throws IOException {
    if (!matcher.isEnded()) {
      inRow = false;
      open(target, true);
    }
  }

  /** Returns some cell of the row that comes next, null if there is none. */
  Cell peek() {
    return matcher.isEnded() ? null : cursor.cell();
  }

  /** Tells whether the row that was begun last has cells here. */
  boolean isInRow() {
    return inRow;
  }

  /**
   * Begins the current row. The scanner stands at its first cell or before it; a reversed one may
   * stand anywhere in it.
   */
  void enterRow() throws IOException {
    Cell cell = cursor.cell();
    enterRow(!matcher.isEnded() && cell != null && row.isOf(cell));
  }

  /** Enters the current row. {@code standsThere} tells whether the scanner stands in it already. */
  void enterRow(boolean standsThere) throws IOException {
    inRow = standsThere;
    rowPassed = false;
    if (!inRow) {
      return;
    }
    if (reversed) {
      seek(key.firstOnRow(row.bytes(), row.length()));
    }
    consumed = false;
    steps = 0;
    stepsToRun = 0;
    column.clear();
    matcher.startRow();
  }

  /** Notes that a run has read the current row to its end, so that the scanner stands after it. */
  void passRow() {
    inRow = false;
    consumed = false;
  }

  /** As {@link #enterRow}, from any position of the scanner. */
  void findRow() throws IOException {
    Cell cell = cursor.cell();
    boolean ahead =
        !reversed
            && found
            && (cell == null
                || comparator.compareRows(
                        cell.bytes(),
                        cell.rowOffset(),
                        cell.rowLength(),
                        row.bytes(),
                        0,
                        row.length())
                    > 0);
    if (!ahead) {
      seek(key.firstOnRow(row.bytes(), row.length()));
      found = true;
    }
    enterRow();
  }

  /** Goes on to the next row in the scan's direction. Does nothing outside a row. */
  void leaveRow() throws IOException {
    if (!inRow || matcher.isEnded()) {
      return;
    }
    inRow = false;
    if (matcher.hint().row().isPresent()) {
      open(matcher.hint().row().get(), true);
    } else if (reversed) {
      fates.searched();
      cursor.seekBefore(key.firstOnRow(row.bytes(), row.length()));
    } else {
      Cell cell = cursor.cell();
      for (int i = 0; i < STEPS_BEFORE_SEEK; i++) {
        if (rowPassed || cell == null || !row.isOf(cell)) {
          return;
        }
        if (cursor.skipRow()) {
          assert Marks.hit(ReadMark.ROW_SKIPPED);
          return;
        }
        cursor.skipColumn();
        cell = cursor.cell();
      }
      if (cell != null && row.isOf(cell)) {
        assert Marks.hit(ReadMark.ROW_SOUGHT);
        seek(key.afterFamily(row.bytes(), row.length(), family));
      }
    }
  }

  /** Tells whether {@link #copyRun} may copy a cell. Call it before each cell. */
  boolean mayCopyRun() {
    return inRow && stepsToRun <= 0 && matcher.takesPlain();
  }

  /**
   * Copies the next cells that need no look at each: every one is the first of its column, and the
   * matcher would return it. Afterwards the scanner and the matcher are in the same state as if
   * they had judged each cell. If the run has left the row, the caller {@linkplain #enterRow
   * enters} another one.
   *
   * @return how many, 0 or more
   */
  int copyRun(CellRun run) throws IOException {
    if (consumed) {
      goOn();
    }
    Cell cell = cursor.cell();
    // Before the first cell of a row nothing is remembered; that it is the row's has been seen.
    if (cell == null || !column.isClear() && column.compare(cell) != ColumnMark.SAME_ROW) {
      return 0;
    }
    run.take(matcher.plain());
    int copied = cursor.copyRun(run);
    assert Marks.hit(copied > 0 ? ReadMark.RUN : ReadMark.RUN_REFUSED);
    stepsToRun = copied > 0 ? 0 : STEPS_BEFORE_RUN;
    fates.returned(copied);
    return copied;
  }

  /** Goes to the next cell of the row. */
  Step advance(ReadLimits limits) throws IOException {
    while (matcher.askForMore()) {
      if (consumed) {
        goOn();
      }
      Cell cell = cursor.cell();
      if (cell == null) {
        break;
      }
      int common = column.compare(cell);
      if (common == ColumnMark.OTHER && !(column.isClear() && row.isOf(cell))) {
        rowPassed = true;
        break;
      }
      limits.looked(1);
      if (limits.isOutOfTime()) {
        return Step.OUT_OF_TIME;
      }
      consumed = true;
      stepsToRun--;
      fates.looked(cell);
      if (common != ColumnMark.SAME_COLUMN) {
        startColumn(cell);
      }
      if (matcher.isColumnDone()) {
        passOver(cell);
      } else if (matcher.match(cell)) {
        return Step.CELL;
      } else if (matcher.hint().takeJump()) {
        seek(key.firstOnColumn(matcher.hint().column()));
        consumed = false;
      }
    }
    matcher.finishRow();
    return Step.ROW_END;
  }

  /** Leaves a finished cell, and the rest of its column if none of it is wanted. */
  private void goOn() throws IOException {
    if (matcher.isColumnDone() && cursor.cell().qualifierLength() > 0) {
      cursor.skipColumn();
    } else {
      cursor.next();
    }
    consumed = false;
  }

  /** Returns the cell at which {@link #advance} stopped; valid until the next call. */
  Cell cell() {
    return matcher.result();
  }

  void close() {
    cursor.close();
    values.close();
  }

  private void startColumn(Cell cell) {
    column.set(cell);
    matcher.startColumn(cell);
    if (!matcher.isColumnDone()) {
      steps = 0;
    }
  }

  /** Leaves a cell whose column is finished, and perhaps all of that column. */
  private void passOver(Cell cell) throws IOException {
    if (cell.qualifierLength() == 0) {
      if (matcher.trackFamilyMarker(cell)) {
        return;
      }
    } else if (!matcher.isRowDone() && ++steps > STEPS_BEFORE_SEEK) {
      assert Marks.hit(ReadMark.COLUMN_SOUGHT);
      fates.passedOver(matcher.columnRest());
      seek(matcher.nextColumn(cell, key));
      consumed = false;
      steps = 0;
      return;
    }
    fates.passedOver(matcher.columnRest());
  }

  private void seek(Cell to) throws IOException {
    fates.searched();
    cursor.seek(to);
  }
}
