package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import java.util.Arrays;

/** Remembers the row and column of a cell beyond the cell's own life. */
final class ColumnMark {
  private static final int TIMESTAMP_AND_TYPE = 9;

  private byte[] bytes = new byte[64];

  /** The length of row, family and qualifier with their lengths; -1 for nothing remembered. */
  private int length = -1;

  /** Forgets the column. */
  void clear() {
    length = -1;
  }

  /** Remembers the cell's row and column. */
  void set(Cell cell) {
    length = cell.keyLength() - TIMESTAMP_AND_TYPE;
    if (bytes.length < length) {
      bytes = new byte[length * 2];
    }
    System.arraycopy(cell.bytes(), cell.keyOffset(), bytes, 0, length);
  }

  /** Tells whether the cell is of the remembered row and column. */
  boolean matches(Cell cell) {
    int offset = cell.keyOffset();
    return cell.keyLength() - TIMESTAMP_AND_TYPE == length
        && Arrays.equals(bytes, 0, length, cell.bytes(), offset, offset + length);
  }
}
