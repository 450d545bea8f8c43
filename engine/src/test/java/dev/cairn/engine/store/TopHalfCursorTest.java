package dev.cairn.engine.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellCursorContractTest;
import dev.cairn.engine.cursor.ListCursor;
import dev.cairn.engine.layout.Reference;
import java.util.ArrayList;
import java.util.List;

/** The cells in question are one half of a file, whose other half nobody must see. */
class TopHalfCursorTest extends CellCursorContractTest {
  @Override
  protected boolean mayBeginWithEmptyRow() {
    return false; // it belongs to the other half
  }

  @Override
  protected CellCursor open(List<Cell> cells) {
    byte[] border = cells.isEmpty() ? Bytes.utf8("m") : cells.get(0).row();
    List<Cell> whole = new ArrayList<>(List.of(hidden(""), hidden("\0"), hidden("Z")));
    whole.addAll(cells);
    return new HalfFileCursor(
        new ListCursor(CellComparator.USER, whole), Reference.top(border), CellComparator.USER);
  }

  private static Cell hidden(String row) {
    return Cell.put(Bytes.utf8(row), FAMILY, Bytes.utf8("q"), 1, Bytes.utf8("the other half"));
  }
}
