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
class BottomHalfCursorTest extends CellCursorContractTest {
  @Override
  protected CellCursor open(List<Cell> cells) {
    byte[] border = Bytes.utf8("s");
    List<Cell> whole = new ArrayList<>(cells);
    whole.addAll(List.of(hidden("s"), hidden("t"), hidden("zzzzz")));
    return new HalfFileCursor(
        new ListCursor(CellComparator.USER, whole), Reference.bottom(border), CellComparator.USER);
  }

  private static Cell hidden(String row) {
    return Cell.put(Bytes.utf8(row), FAMILY, Bytes.utf8("q"), 1, Bytes.utf8("the other half"));
  }
}
