package dev.cairn.engine.cursor;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import java.util.List;

class ListCursorTest extends CellCursorContractTest {
  @Override
  protected CellCursor open(List<Cell> cells) {
    return new ListCursor(CellComparator.USER, cells);
  }
}
