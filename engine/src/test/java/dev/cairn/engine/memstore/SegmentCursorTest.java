package dev.cairn.engine.memstore;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellCursorContractTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

class SegmentCursorTest extends CellCursorContractTest {
  @Override
  protected CellCursor open(List<Cell> cells) {
    MemStoreSegment segment = new MemStoreSegment(CellComparator.USER, 1 << 16);
    List<Cell> shuffled = new ArrayList<>(cells);
    Collections.shuffle(shuffled, new Random(cells.size()));
    shuffled.forEach(cell -> segment.add(cell, cell.sequence()));
    return segment.cursor(Long.MAX_VALUE);
  }
}
