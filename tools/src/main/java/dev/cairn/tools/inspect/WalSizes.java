package dev.cairn.tools.inspect;

import dev.cairn.engine.cell.Cell;

/** The sizes of HBase's objects on the heap of a 64-bit JVM with compressed pointers, bytes. */
final class WalSizes {
  /** An edit without cells. */
  static final int EDIT_OVERHEAD = 40;

  private static final int CELL_OVERHEAD = 32;
  private static final int ARRAY_OVERHEAD = 16;

  private WalSizes() {}

  /** Returns the size of a cell over an array of its own. */
  static long heapSize(Cell cell) {
    long array = ARRAY_OVERHEAD + cell.serializedLength(true);
    return CELL_OVERHEAD + (array + 7) / 8 * 8;
  }
}
