package dev.cairn.engine.store;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellRun;
import java.io.IOException;

/**
 * Skips the cells before a given one, which no caller asks for: no seek goes to their blocks.
 * Forwards only.
 */
final class ColumnStartCursor implements CellCursor {
  private final CellCursor all;
  private final CellComparator order;
  private final Cell start;

  ColumnStartCursor(CellCursor all, CellComparator order, Cell start) {
    this.all = all;
    this.order = order;
    this.start = start;
  }

  @Override
  public Cell cell() {
    return all.cell();
  }

  @Override
  public boolean next() throws IOException {
    return all.next();
  }

  @Override
  public int copyRun(CellRun run) throws IOException {
    return all.copyRun(run);
  }

  @Override
  public boolean skipRow() throws IOException {
    return all.skipRow();
  }

  @Override
  public boolean skipColumn() throws IOException {
    return all.skipColumn();
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    return all.seek(order.compare(key, start) < 0 ? start : key);
  }

  @Override
  public boolean seekBefore(Cell key) {
    throw new UnsupportedOperationException("This read goes forwards only");
  }

  @Override
  public void close() {
    all.close();
  }
}
