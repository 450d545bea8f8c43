package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import java.util.Optional;

/**
 * The position to which a filter has sent the scan of one family: a cell of the current row, or
 * another row. Cells before it are still read until the end of their column, because there may be
 * delete markers among them.
 */
public final class FilterHint {
  private final CellComparator comparator;
  private Optional<Cell> inRow = Optional.empty();
  private Optional<byte[]> row = Optional.empty();
  private boolean jumps;

  FilterHint(CellComparator comparator) {
    this.comparator = comparator;
  }

  /** A row begins, or a read ends: there is no hint. */
  void clear() {
    inRow = Optional.empty();
    row = Optional.empty();
    jumps = false;
  }

  /**
   * Remembers a hint that was given at {@code cell}, unless it is before the cell.
   *
   * @return whether nothing more is wanted of the row
   */
  boolean follow(Cell hint, Cell cell, boolean reversed) {
    int rows = comparator.compareRows(hint, cell);
    if (rows != 0) {
      boolean ahead = reversed == rows < 0;
      if (ahead) {
        row = Optional.of(hint.row());
      }
      return ahead;
    }
    boolean ahead = comparator.compareKeys(hint, cell) > 0;
    if (ahead && hint.sameFamily(cell)) {
      inRow = Optional.of(hint.copy());
      return false;
    }
    return ahead;
  }

  /**
   * Skips a cell before the hint within its row. Forgets the hint at any other cell.
   *
   * @return whether the cell is skipped
   */
  boolean skip(Cell cell) {
    if (inRow.isEmpty()) {
      return false;
    }
    Cell hint = inRow.get();
    if (comparator.compareKeys(cell, hint) >= 0) {
      inRow = Optional.empty();
      return false;
    }
    jumps = cell.qualifierLength() > 0 && !cell.sameColumn(hint);
    return true;
  }

  /**
   * Tells whether the scan may jump from the last skipped cell to {@link #column}. The next call
   * returns false.
   */
  public boolean takeJump() {
    boolean now = jumps;
    jumps = false;
    return now;
  }

  /** Returns the cell of the row at whose column to go on; there is one to jump to. */
  public Cell column() {
    return inRow.orElseThrow();
  }

  /** Returns the row at which to go on, if it is another one. */
  public Optional<byte[]> row() {
    return row;
  }
}
