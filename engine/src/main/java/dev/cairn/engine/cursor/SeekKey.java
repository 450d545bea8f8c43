package dev.cairn.engine.cursor;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.probe.Loans;

/**
 * Keys to seek, made in one array that is used again and again: each is valid until the next is
 * made. All sort before every cell with their row, family and qualifier.
 */
public final class SeekKey {
  /** The largest key array that a reused scanner keeps, bytes. */
  public static final int KEPT_BYTES_MAX = 1024;

  private final Cell view = new Cell();
  private byte[] bytes = Bytes.EMPTY;

  /** Gives memory back that only long keys need. */
  public void trim() {
    if (bytes.length > KEPT_BYTES_MAX) {
      view.clear();
      bytes = Bytes.EMPTY;
    }
  }

  /** Returns the key before all cells of a row. */
  public Cell firstOnRow(byte[] row, int rowLength) {
    return make(row, 0, rowLength, Bytes.EMPTY, 0, 0, 0, Bytes.EMPTY, 0, 0, 0);
  }

  /**
   * Returns the key after all cells of a row and family. It names the next possible family of the
   * same row, which is right in every order of rows.
   */
  public Cell afterFamily(byte[] row, int rowLength, byte[] family) {
    return make(row, 0, rowLength, family, 0, family.length, 1, Bytes.EMPTY, 0, 0, 0);
  }

  /** Returns the key before all cells of the column {@code qualifier} of the cell's family. */
  public Cell firstOnColumn(Cell cell, byte[] qualifier) {
    return onColumn(cell, qualifier, 0, qualifier.length, 0);
  }

  /** Returns the key before all cells of the cell's column. */
  public Cell firstOnColumn(Cell cell) {
    return onColumn(cell, 0);
  }

  /** Returns the key after all cells of the cell's column. */
  public Cell afterColumn(Cell cell) {
    return onColumn(cell, 1);
  }

  private Cell onColumn(Cell cell, int zeros) {
    return onColumn(cell, cell.bytes(), cell.qualifierOffset(), cell.qualifierLength(), zeros);
  }

  private Cell onColumn(
      Cell cell, byte[] qualifier, int qualifierOffset, int qualifierLength, int zeros) {
    return make(
        cell.bytes(),
        cell.rowOffset(),
        cell.rowLength(),
        cell.bytes(),
        cell.familyOffset(),
        cell.familyLength(),
        0,
        qualifier,
        qualifierOffset,
        qualifierLength,
        zeros);
  }

  private Cell make(
      byte[] row,
      int rowOffset,
      int rowLength,
      byte[] family,
      int familyOffset,
      int familyLength,
      int familyZeros,
      byte[] qualifier,
      int qualifierOffset,
      int qualifierLength,
      int qualifierZeros) {
    int length =
        Cell.KEY_OVERHEAD
            + rowLength
            + familyLength
            + familyZeros
            + qualifierLength
            + qualifierZeros;
    assert endLoan();
    if (bytes.length < length) {
      bytes = new byte[length * 2];
    }
    Bytes.putShort(bytes, 0, rowLength);
    System.arraycopy(row, rowOffset, bytes, 2, rowLength);
    int at = 2 + rowLength;
    bytes[at++] = (byte) (familyLength + familyZeros);
    System.arraycopy(family, familyOffset, bytes, at, familyLength);
    at = zeros(at + familyLength, familyZeros);
    System.arraycopy(qualifier, qualifierOffset, bytes, at, qualifierLength);
    at = zeros(at + qualifierLength, qualifierZeros);
    Bytes.putLong(bytes, at, Cell.LATEST_TIMESTAMP);
    bytes[at + 8] = (byte) CellType.MAXIMUM.code();
    view.setKey(bytes, 0, length);
    return view;
  }

  private boolean endLoan() {
    bytes = Loans.renew(bytes);
    return true;
  }

  private int zeros(int at, int count) {
    for (int i = 0; i < count; i++) {
      bytes[at + i] = 0;
    }
    return at + count;
  }
}
