package dev.cairn.engine.index;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellParts;
import dev.cairn.engine.cell.CellType;
import java.util.Arrays;

/**
 * What an index stores of a put: a cell whose row is the beginning of the value, and whose
 * qualifier is the row of the put. So entries sort by value, then by row, both in the order of
 * unsigned bytes.
 *
 * <p>A reusable maker of entries. Not thread-safe.
 */
public final class IndexEntry {
  /** The number of bytes of a value that an index stores. */
  public static final int VALUE_BYTES_MAX = 1024;

  private final CellBuffer buffer = new CellBuffer();
  private final Cell entry = new Cell();
  private byte[] source; // of parts; null before the first call
  private CellParts parts;

  /** Tells whether an index has an entry of the cell: it is a put. */
  public static boolean isIndexed(Cell cell) {
    return cell.typeCode() == CellType.PUT.code();
  }

  /** Returns the entry of a put, valid until the next call. */
  public Cell of(Cell put) {
    if (source != put.bytes()) {
      source = put.bytes();
      parts = new CellParts(source);
      parts.version(0, CellType.PUT);
    }
    parts.row(put.valueOffset(), Math.min(put.valueLength(), VALUE_BYTES_MAX));
    parts.qualifier(put.rowOffset(), put.rowLength());
    buffer.clear();
    buffer.add(parts);
    return buffer.get(0, entry, 0);
  }

  /** Returns the key before all entries of values from {@code value} on. */
  public static Cell firstOf(byte[] value) {
    byte[] beginning =
        value.length <= VALUE_BYTES_MAX ? value : Arrays.copyOf(value, VALUE_BYTES_MAX);
    return Cell.firstOnRow(beginning);
  }
}
