package dev.cairn.server.filter;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import java.util.List;

/** A cursor over sorted cells that counts on how many it has stood: what a scan has looked at. */
final class CountedCells implements CellCursor {
  private final List<Cell> cells;
  private final Cell shown = new Cell();
  private int at = -1;
  private long moves;

  CountedCells(List<Cell> cells) {
    this.cells = cells;
  }

  /** Returns how often it has moved. */
  long moves() {
    return moves;
  }

  @Override
  public Cell cell() {
    return at >= 0 && at < cells.size() ? shown : null;
  }

  @Override
  public boolean next() {
    return moveTo(at + 1);
  }

  /** Leaves a column in one move, as the cursors of files and of what is in memory do. */
  @Override
  public boolean skipColumn() {
    int behind = at + 1;
    while (behind < cells.size() && cells.get(behind).sameColumn(shown)) {
      behind++;
    }
    return moveTo(behind);
  }

  @Override
  public boolean seek(Cell key) {
    return moveTo(firstFrom(key));
  }

  @Override
  public boolean seekBefore(Cell key) {
    return moveTo(firstFrom(key) - 1);
  }

  @Override
  public void close() {
    at = -1;
  }

  private int firstFrom(Cell key) {
    int low = 0;
    int high = cells.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (CellComparator.USER.compare(cells.get(middle), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean moveTo(int index) {
    moves++;
    at = index;
    if (at < 0 || at >= cells.size()) {
      return false;
    }
    shown.set(cells.get(at));
    return true;
  }
}
