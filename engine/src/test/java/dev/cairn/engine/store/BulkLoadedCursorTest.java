package dev.cairn.engine.store;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellCursorContractTest;
import dev.cairn.engine.cursor.ListCursor;
import java.util.List;

class BulkLoadedCursorTest extends CellCursorContractTest {
  @Override
  protected CellCursor open(List<Cell> cells) {
    // The contract's cells have number 0; whatever the file has stored does not matter.
    List<Cell> stored = cells.stream().map(cell -> numbered(cell, 77)).toList();
    return new BulkLoadedCursor(
        new ListCursor(CellComparator.USER, stored), 0, CellComparator.USER);
  }

  @Override
  protected boolean keepsSequences() {
    return false;
  }

  private static Cell numbered(Cell cell, long sequence) {
    Cell numbered = new Cell();
    numbered.set(cell, sequence);
    return numbered;
  }
}
