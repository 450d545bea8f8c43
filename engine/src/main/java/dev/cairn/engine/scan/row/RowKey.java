package dev.cairn.engine.scan.row;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.SeekKey;
import dev.cairn.engine.probe.Loans;
import java.util.Arrays;

/**
 * The key of the row that a scan reads. The reader of rows sets it; the scanners of all families
 * compare their cells with it. It is one object for all of them, so no scanner can compare with the
 * bytes of one row and the length of another.
 *
 * <p>For one thread at a time, and one scan after another.
 */
final class RowKey {
  private byte[] bytes = Bytes.EMPTY;
  private int length;

  /** Sets the key to a copy of the cell's row. */
  void set(Cell cell) {
    assert endLoan();
    length = cell.rowLength();
    if (bytes.length < length) {
      bytes = new byte[length * 2];
    }
    System.arraycopy(cell.bytes(), cell.rowOffset(), bytes, 0, length);
  }

  private boolean endLoan() {
    bytes = Loans.renew(bytes);
    return true;
  }

  /** Empties the key, and frees memory that only long keys need. */
  void clear() {
    assert endLoan();
    length = 0;
    if (bytes.length > SeekKey.KEPT_BYTES_MAX) {
      bytes = Bytes.EMPTY;
    }
  }

  /** Returns the array that begins with the key; its bytes are valid until the next change. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the length of the key. */
  int length() {
    return length;
  }

  /** Returns a copy of the key. */
  byte[] copy() {
    return Arrays.copyOf(bytes, length);
  }

  /** Tells whether a cell is in this row. */
  boolean isOf(Cell cell) {
    return cell.rowEquals(bytes, 0, length);
  }

  /** Tells whether this is the row's key. */
  boolean isEqualTo(byte[] row) {
    return Arrays.equals(bytes, 0, length, row, 0, row.length);
  }
}
