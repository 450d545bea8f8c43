package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.SeekKey;
import java.util.Arrays;

/** Remembers the row and column of a cell beyond the cell's own life. */
public final class ColumnMark {
  private static final int TIMESTAMP_AND_TYPE = 9;

  /** The cell is of the same column. */
  public static final int SAME_COLUMN = 2;

  /** The cell is of another column of the row. */
  public static final int SAME_ROW = 1;

  /** The cell is of another row. */
  public static final int OTHER = 0;

  private byte[] bytes = Bytes.EMPTY;

  /** The length of row, family and qualifier with their lengths; -1 for nothing remembered. */
  private int length = -1;

  /** Forgets the column. */
  public void clear() {
    length = -1;
  }

  /** Forgets the column, and gives memory back that only long keys need. */
  public void trim() {
    clear();
    if (bytes.length > SeekKey.KEPT_BYTES_MAX) {
      bytes = Bytes.EMPTY;
    }
  }

  /** Tells whether nothing is remembered. */
  public boolean isClear() {
    return length < 0;
  }

  /** Remembers the cell's row and column. */
  public void set(Cell cell) {
    length = cell.keyLength() - TIMESTAMP_AND_TYPE;
    if (bytes.length < length) {
      bytes = new byte[length * 2];
    }
    System.arraycopy(cell.bytes(), cell.keyOffset(), bytes, 0, length);
  }

  /**
   * Compares the cell with the remembered column. Returns {@link #SAME_COLUMN}, {@link #SAME_ROW}
   * or {@link #OTHER}, the last also if none is remembered. One pass over the bytes decides.
   */
  public int compare(Cell cell) {
    if (length < 0) {
      return OTHER;
    }
    int offset = cell.keyOffset();
    int cellLength = cell.keyLength() - TIMESTAMP_AND_TYPE;
    int at = Arrays.mismatch(bytes, 0, length, cell.bytes(), offset, offset + cellLength);
    if (at < 0) {
      return SAME_COLUMN;
    }
    return at >= Short.BYTES + cell.rowLength() ? SAME_ROW : OTHER;
  }
}
