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
