package dev.cairn.engine.scan.merge;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellCursorContractTest;
import dev.cairn.engine.cursor.ListCursor;
import java.util.ArrayList;
import java.util.List;

class ReadPointCursorTest extends CellCursorContractTest {
  private static final long READ_POINT = 5000;

  @Override
  protected CellCursor open(List<Cell> cells) {
    List<Cell> withHidden = new ArrayList<>(cells);
    for (Cell cell : cells) {
      Cell hidden = cell.copy();
      hidden.set(hidden.bytes(), 0, hidden.bytes().length, READ_POINT + 1);
      withHidden.add(hidden);
    }
    withHidden.sort(CellComparator.USER);
    return ReadPointCursor.of(new ListCursor(CellComparator.USER, withHidden), READ_POINT);
  }
}
