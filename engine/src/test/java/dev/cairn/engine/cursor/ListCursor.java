package dev.cairn.engine.cursor;

import dev.cairn.engine.cell.Cell;
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

  /** Copies as many as may be copied. */
  @Override
  public int copyRun(CellRun run) {
    if (!stands()) {
      throw new IllegalStateException("copyRun() while standing nowhere");
    }
    int first = at;
    boolean goesOn = true;
    while (goesOn && at < cells.size() && !run.isFull()) {
      Cell cell = cells.get(at);
      Cell next = at + 1 < cells.size() ? cells.get(at + 1) : new Cell();
      if (next.sameColumn(cell) || !isBefore(cell, run.end()) || !run.rule().include(cell)) {
        break;
      }
      run.copy(cell);
      at++;
      if (at == cells.size() || !next.sameRow(cell)) {
        goesOn = run.crossesRows() && !run.endsInRowOf(cell);
        if (goesOn) {
          run.rowEnds();
        }
      }
    }
    int copied = at - first;
    if (copied > 0) {
      moveTo(at);
    }
    return copied;
  }

  private boolean isBefore(Cell cell, Cell end) {
    return end == CellRun.NO_END || comparator.compareKeys(cell, end) < 0 && !cell.sameColumn(end);
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
