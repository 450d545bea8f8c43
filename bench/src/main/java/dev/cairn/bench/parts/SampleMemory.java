package dev.cairn.bench.parts;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import java.util.SplittableRandom;

/** Cells in memory, one a row, in an order by chance; the parts work on them. */
final class SampleMemory {
  private static final byte[] FAMILY = Bytes.utf8("f");
  private static final byte[] QUALIFIER = Bytes.utf8("field0");
  private static final int VALUE_BYTES = 100;
  private static final long TIMESTAMP = 1_700_000_000_000L;

  private final Cell[] cells;

  SampleMemory(int count) {
    SplittableRandom random = new SplittableRandom(11);
    byte[] value = new byte[VALUE_BYTES];
    this.cells = new Cell[count];
    CellBuffer all = new CellBuffer(count * 160, count);
    for (int i = 0; i < count; i++) {
      random.nextBytes(value);
      byte[] row = Bytes.utf8("user%016x".formatted(random.nextLong()));
      all.add(row, FAMILY, QUALIFIER, TIMESTAMP, CellType.PUT.code(), value, Bytes.EMPTY);
    }
    for (int i = 0; i < count; i++) {
      cells[i] = all.get(i);
    }
  }

  int count() {
    return cells.length;
  }

  Cell get(int i) {
    return cells[i];
  }
}
