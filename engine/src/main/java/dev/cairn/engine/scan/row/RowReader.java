package dev.cairn.engine.scan.row;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.match.FilterEvaluation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Reads the current row of a scan: takes the cells of the row from each family, in the order of
 * families, and appends them within a call's limits. After any interruption, the next call
 * continues there.
 *
 * <p>A row that must be judged before any of it may be returned is <em>staged</em>: collected here
 * from the families that the filter needs, judged, and only then read from the others. Filters that
 * need whole rows work so, and families that are read only for rows that pass.
 *
 * <p>{@link RowScanner} chooses the next row, and calls the filter before and after a row. One
 * thread at a time. Serves one row after another, and one scan after another.
 */
final class RowReader {
  private final FamilyScanners families;
  private final ReadLimits limits;
  private final RowBuffer stage = new RowBuffer();

  // The arguments of begin(), and values derived from them.
  private Optional<FilterEvaluation> filter = Optional.empty();
  private ScanObserver observer = ScanObserver.NONE;
  private boolean wholeRows;
  private boolean staged;

  private final RowKey row;

  // The position in the row: its family, and the cell that was found but not returned yet.
  private int familyIndex;
  private Cell current;
  private boolean holding;
  private boolean emitted;

  /** True if a run has ended the row and recorded its size. */
  private boolean noted;

  /**
   * Creates a reader that reads nothing before {@link #begin}.
   *
   * @param families the sources of its cells
   * @param row the key of the current row, which the reader sets and the families read
   * @param limits limits each call
   */
  RowReader(FamilyScanners families, RowKey row, ReadLimits limits) {
    this.families = families;
    this.row = row;
    this.limits = limits;
  }

  /** Begins a scan; the families have begun it already. */
  void begin(Optional<FilterEvaluation> run, ScanObserver scanObserver) {
    filter = run;
    observer = scanObserver;
    wholeRows = run.isPresent() && run.get().filter().needsWholeRow();
    staged = wholeRows || !families.areAllEssential();
    stage.begin(staged);
    row.clear();
  }

  /** Releases everything of the last scan; keeps memory to work with. */
  void forget() {
    stage.forget();
    filter = Optional.empty();
    observer = ScanObserver.NONE;
    current = null;
    row.clear();
  }

  /**
   * Closes and releases the families' sources, like {@link FamilyScanners#detach}.
   *
   * @param betweenRows whether the last row has ended
   */
  void detach(boolean betweenRows) {
    families.detach(familyOfHeld());
    if (betweenRows) {
      stage.trim();
    }
    if (!(holding && isStaged(familyIndex))) {
      current = null;
    }
  }

  /** Continues with other sources of the same cells. */
  void attach(List<StoreSource> sources, long readPoint) throws IOException {
    int keeping = familyOfHeld();
    families.attach(sources, readPoint, keeping);
    if (keeping >= 0) {
      current = families.get(keeping).cell();
    }
  }

  /**
   * Returns the family of the cell that was found but not returned yet, if the cell is in its
   * source; otherwise -1.
   */
  private int familyOfHeld() {
    return holding && !isStaged(familyIndex) ? familyIndex : -1;
  }

  /**
   * Tells whether the family's cells of the row are staged, so that its source is no longer needed.
   */
  private boolean isStaged(int family) {
    return staged && families.isEssential(family);
  }

  /** Tells whether this scan returns rows as a whole. */
  boolean givesWholeRows() {
    return wholeRows;
  }

  /** Tells whether rows of this scan are staged. */
  boolean stagesRows() {
    return staged;
  }

  /** Returns the key of the row that was begun last, empty if none was. */
  byte[] row() {
    return row.copy();
  }

  /** Tells whether that is its key. */
  boolean isAt(byte[] key) {
    return row.isEqualTo(key);
  }

  /** Tells whether any of the row was handed out, in this call or before. */
  boolean hasEmitted() {
    return emitted;
  }

  /** Tells whether a run has reached the end of the current row and recorded its size. */
  boolean isNoted() {
    return noted;
  }

  /**
   * Begins a row.
   *
   * @param first the cell that {@link FamilyScanners#leaveRow} has returned, of that row
   * @return the row's first cell
   */
  Cell enter(Cell first) throws IOException {
    row.set(first);
    observer.rowBegins(row.bytes(), row.length());
    familyIndex = 0;
    holding = false;
    emitted = false;
    noted = false;
    stage.startRow();
    return families.enterRow(first);
  }

  /** Collects the row from the families that the filter needs. Returns false if out of time. */
  boolean stage() throws IOException {
    while (familyIndex < families.count()) {
      StoreScanner family = families.get(familyIndex);
      if (families.isEssential(familyIndex) && family.isInRow()) {
        StoreScanner.Step step = family.advance(limits);
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

  /**
   * Judges the staged row and, if it passes, finds it in the other families.
   *
   * @return the outcome of the row: {@link CellOutcome#RETURNED} if it is to be returned
   */
  CellOutcome judge() throws IOException {
    if (stage.isEmpty()) {
      return CellOutcome.FAMILY_NOT_NEEDED;
    }
    ScanFilter asked = filter.get().filter();
    if (wholeRows) {
      observer.rowLeft(stage.judge(asked));
    }
    if (!stage.isEmpty() && asked.filterRow()) {
      return CellOutcome.FILTERED_ROW;
    }
    families.findRow();
    familyIndex = 0;
    return CellOutcome.RETURNED;
  }

  /**
   * Appends the rest of the row, within the limits. If a run crosses rows, the last of them becomes
   * the current row.
   *
   * @param out where cells are appended
   * @return {@link ScanProgress#ROW_DONE} at the row's end, else the reason for the stop
   */
  ScanProgress emit(CellBuffer out) throws IOException {
    while (true) {
      if (!holding && mayCopyRun() && copyRun()) {
        return ScanProgress.ROW_DONE;
      }
      StoreScanner.Step step = holding ? StoreScanner.Step.CELL : findCell();
      holding = false;
      if (step == StoreScanner.Step.ROW_END) {
        return ScanProgress.ROW_DONE;
      }
      boolean outOfTime = step == StoreScanner.Step.OUT_OF_TIME;
      if (outOfTime && limits.run().cellsOfRow() == 0) {
        return ScanProgress.LIMIT_BETWEEN_ROWS;
      }
      if (limits.isBatchFull()) {
        holding = !outOfTime;
        return ScanProgress.BATCH_FULL;
      }
      if (outOfTime && limits.mayStopInRow()) {
        return ScanProgress.TIME_IN_ROW;
      }
      if (outOfTime) {
        limits.liftTime();
        continue;
      }
      if (limits.isFullInRow()) {
        holding = true;
        return ScanProgress.LIMIT_IN_ROW;
      }
      out.add(current);
      emitted = true;
    }
  }

  private boolean mayCopyRun() {
    return familyIndex < families.count()
        && !isStaged(familyIndex)
        && families.get(familyIndex).mayCopyRun();
  }

  /**
   * Appends the next cells that a run can copy, within the limits.
   *
   * @return whether the last row is known to be complete
   */
  private boolean copyRun() throws IOException {
    StoreScanner family = families.get(familyIndex);
    CellRun run = limits.nextRun();
    int rows = run.rowSizes().size();
    int copied = family.copyRun(run);
    assert mark(run, rows, copied);
    if (copied > 0) {
      emitted = true;
      limits.looked(copied);
    }
    if (run.rowSizes().size() > rows) {
      row.set(run.lastCell());
      noted = run.cellsOfRow() == 0;
      if (noted) {
        family.passRow();
      } else {
        family.enterRow(); // the rest of the row may be too new to be seen
      }
    }
    return noted;
  }

  /** Marks why a run ended. */
  private static boolean mark(CellRun run, int rowsBefore, int copied) {
    int rows = run.rowSizes().size() - rowsBefore;
    return copied == 0
        || Marks.hitIf(run.cellsLeft() <= 0, ReadMark.RUN_FULL_OF_CELLS)
            && Marks.hitIf(run.bytesLeft() <= 0, ReadMark.RUN_FULL_OF_BYTES)
            && Marks.hitIf(rows > 0 && run.rowsLeft() <= 0, ReadMark.RUN_FULL_OF_ROWS)
            && Marks.hitIf(rows > 0 && run.cellsOfRow() == 0, ReadMark.RUN_ENDS_ROW)
            && Marks.hitIf(rows > 1, ReadMark.RUN_CROSSES_ROWS)
            && Marks.hitIf(rows > 0 && run.cellsOfRow() > 0, ReadMark.RUN_LEAVES_ROW_OPEN);
  }

  /** Finds the row's next cell: of a family that was staged there, else in its store. */
  private StoreScanner.Step findCell() throws IOException {
    while (familyIndex < families.count()) {
      StoreScanner family = families.get(familyIndex);
      if (isStaged(familyIndex)) {
        if (stage.advance(family.family())) {
          current = stage.cell();
          return StoreScanner.Step.CELL;
        }
      } else if (family.isInRow()) {
        StoreScanner.Step step = family.advance(limits);
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
