package dev.cairn.engine.cursor;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import java.util.Arrays;
import java.util.List;

/**
 * The simplest cursor: over a sorted list. What it returns is spoiled when it moves, so that a test
 * notices whoever keeps a flyweight too long.
 */
public final class ListCursor implements CellCursor {
  private final CellComparator comparator;
  private final List<Cell> cells;
  private Cell shown = new Cell();
  private int at = -1;
  private boolean closed;

  /** Creates a cursor over cells that are sorted already. */
  public ListCursor(CellComparator comparator, List<Cell> cells) {
    this.comparator = comparator;
    this.cells = cells;
  }

  /** Tells whether {@link #close} was called. */
  public boolean isClosed() {
    return closed;
  }

  @Override
  public Cell cell() {
    return stands() ? shown : null;
  }

  @Override
  public boolean next() {
    if (!stands()) {
      throw new IllegalStateException("next() while standing nowhere");
    }
    return moveTo(at + 1);
  }

  /** Takes as many as may be taken. */
  @Override
  public int takePlain(PlainCells plain, Cell end, int cellsMax, long bytesMax, CellBuffer out) {
    if (!stands()) {
      throw new IllegalStateException("takePlain() while standing nowhere");
    }
    Cell first = cells.get(at);
    long bytes = 0;
    int taken = 0;
    while (taken < cellsMax && bytes < bytesMax && at + taken < cells.size()) {
      int next = at + taken + 1;
      Cell cell = cells.get(at + taken);
      boolean columnEnds = next == cells.size() || !cell.sameColumn(cells.get(next));
      boolean beforeEnd =
          end == PlainCells.NO_END
              || !end.sameRow(cell)
              || comparator.compareColumns(cell, end) < 0;
      if (!cell.sameRow(first) || !columnEnds || !beforeEnd || !plain.include(cell)) {
        break;
      }
      out.add(cell);
      bytes += cell.serializedLength(true) + PlainCells.CELL_OVERHEAD;
      taken++;
    }
    if (taken > 0) {
      moveTo(at + taken);
    }
    return taken;
  }

  /** Takes as many as may be taken. */
  @Override
  public int takeRows(
      PlainCells plain, Cell end, int rowsMax, long bytesMax, CellBuffer out, RowSizes sizes) {
    if (!stands()) {
      throw new IllegalStateException("takeRows() while standing nowhere");
    }
    long bytes = 0;
    int taken = 0;
    for (int row = 0; row < rowsMax && at + taken < cells.size(); row++) {
      Cell first = cells.get(at + taken);
      boolean wanted = end == PlainCells.NO_END || comparator.compareRows(first, end) < 0;
      int size = 0;
      while (wanted && at + taken + size < cells.size()) {
        int next = at + taken + size;
        Cell cell = cells.get(next);
        if (!cell.sameRow(first)) {
          break;
        }
        bytes += cell.serializedLength(true) + PlainCells.CELL_OVERHEAD;
        wanted =
            bytes < bytesMax
                && plain.include(cell)
                && (next + 1 == cells.size() || !cell.sameColumn(cells.get(next + 1)));
        size++;
      }
      if (!wanted) {
        break;
      }
      cells.subList(at + taken, at + taken + size).forEach(out::add);
      sizes.add(size);
      taken += size;
    }
    if (taken > 0) {
      moveTo(at + taken);
    }
    return taken;
  }

  @Override
  public boolean skipRow() {
    if (!stands()) {
      throw new IllegalStateException("skipRow() while standing nowhere");
    }
    Cell first = cells.get(at);
    int end = at;
    while (end < cells.size() && cells.get(end).sameRow(first)) {
      end++;
    }
    moveTo(end);
    return true;
  }

  @Override
  public boolean seek(Cell key) {
    int i = 0;
    while (i < cells.size() && comparator.compare(cells.get(i), key) < 0) {
      i++;
    }
    return moveTo(i);
  }

  @Override
  public boolean seekBefore(Cell key) {
    int i = cells.size() - 1;
    while (i >= 0 && comparator.compare(cells.get(i), key) >= 0) {
      i--;
    }
    return moveTo(i);
  }

  @Override
  public void close() {
    closed = true;
    moveTo(-1);
  }

  private boolean stands() {
    return at >= 0 && at < cells.size();
  }

  private boolean moveTo(int index) {
    Arrays.fill(shown.bytes(), (byte) 0xEE);
    at = index;
    if (stands()) {
      shown = cells.get(at).copy();
    }
    return stands();
  }
}
