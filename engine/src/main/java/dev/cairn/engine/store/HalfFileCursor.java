package dev.cairn.engine.store;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import java.io.IOException;

/**
 * Shows the part of a file that a reference names: the cells at and after the split key, or those
 * before it.
 */
final class HalfFileCursor implements CellCursor {
  private final CellCursor whole;
  private final Cell border;
  private final boolean top;
  private final CellComparator order;
  private boolean stands;

  HalfFileCursor(CellCursor whole, Reference part, CellComparator order) {
    this.whole = whole;
    this.border = part.splitKey();
    this.top = part.top();
    this.order = order;
  }

  @Override
  public Cell cell() {
    return stands ? whole.cell() : null;
  }

  @Override
  public boolean next() throws IOException {
    if (!stands) {
      throw new IllegalStateException("The cursor stands nowhere");
    }
    stands = whole.next() && (top || isBeforeBorder(whole.cell()));
    return stands;
  }

  @Override
  public int copyRun(CellRun run) throws IOException {
    Cell end = run.end();
    if (!top && (end == CellRun.NO_END || order.compareKeys(border, end) < 0)) {
      run.endBefore(border);
    }
    int copied = whole.copyRun(run);
    run.endBefore(end);
    if (copied > 0) {
      assert Marks.hitIf(
          whole.cell() != null && !top && !isBeforeBorder(whole.cell()), ReadMark.HALF_FILE_BORDER);
      standAtCell();
    }
    return copied;
  }

  @Override
  public boolean skipRow() throws IOException {
    boolean skips = whole.skipRow();
    if (skips) {
      standAtCell();
    }
    return skips;
  }

  @Override
  public boolean skipColumn() throws IOException {
    stands = whole.skipColumn() && (top || isBeforeBorder(whole.cell()));
    return stands;
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    if (top) {
      stands = whole.seek(isBeforeBorder(key) ? border : key);
    } else {
      stands = isBeforeBorder(key) && whole.seek(key) && isBeforeBorder(whole.cell());
    }
    return stands;
  }

  @Override
  public boolean seekBefore(Cell key) throws IOException {
    if (top) {
      stands = !isBeforeBorder(key) && whole.seekBefore(key) && !isBeforeBorder(whole.cell());
    } else {
      stands = whole.seekBefore(isBeforeBorder(key) ? key : border);
    }
    return stands;
  }

  @Override
  public void close() {
    stands = false;
    whole.close();
  }

  private void standAtCell() {
    stands = whole.cell() != null && (top || isBeforeBorder(whole.cell()));
  }

  private boolean isBeforeBorder(Cell cell) {
    return order.compare(cell, border) < 0;
  }
}
