package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.constraint.ColumnRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The cells of one write in one row, with final timestamps. One thread. */
final class RowChange {
  final byte[] row;
  private final List<Cell> puts = new ArrayList<>();
  private final List<Cell> markers = new ArrayList<>();

  RowChange(byte[] row) {
    this.row = row;
  }

  /** Reads the row as it is before the write. */
  interface RowReads {
    /** Returns the newest versions of a column that are newer than a timestamp. */
    CellBuffer read(ColumnRule column, long after, int versions) throws IOException;
  }

  void add(Cell cell) {
    (cell.isDelete() ? markers : puts).add(cell);
  }

  /** Tells whether no marker of the write hides one of its values. */
  boolean adds() {
    for (Cell put : puts) {
      if (!isHidden(put)) {
        return true;
      }
    }
    return false;
  }

  /** Tells whether the write has a non-empty value of the column that its markers do not hide. */
  boolean puts(ColumnRule column) {
    for (Cell put : puts) {
      if (put.valueLength() > 0 && column.isOf(put) && !isHidden(put)) {
        return true;
      }
    }
    return false;
  }

  private boolean isHidden(Cell put) {
    for (Cell marker : markers) {
      boolean isOfColumn = hidesFamily(marker) || marker.sameColumn(put);
      if (isOfColumn
          && marker.sameFamily(put)
          && (CellType.hidesOlder(marker.typeCode())
              ? put.timestamp() <= marker.timestamp()
              : put.timestamp() == marker.timestamp())) {
        return true;
      }
    }
    return false;
  }

  /** Tells whether a marker may hide cells of the column. */
  boolean mayHide(ColumnRule column) {
    for (Cell marker : markers) {
      if (concerns(marker, column)) {
        return true;
      }
    }
    return false;
  }

  private static boolean concerns(Cell marker, ColumnRule column) {
    return hidesFamily(marker) ? column.isOfFamily(marker) : column.isOf(marker);
  }

  /**
   * Tells whether the newest present value of the column that the markers do not hide is not empty.
   */
  boolean leaves(ColumnRule column, RowReads reads) throws IOException {
    long until = -1;
    Set<Long> exact = new HashSet<>();
    for (Cell marker : markers) {
      if (concerns(marker, column)) {
        if (CellType.hidesOlder(marker.typeCode())) {
          until = Math.max(until, marker.timestamp());
        } else {
          exact.add(marker.timestamp());
        }
      }
    }
    CellBuffer found = reads.read(column, until, exact.size() + 1);
    for (int i = 0; i < found.size(); i++) {
      Cell cell = found.get(i);
      if (cell.timestamp() > until && !exact.contains(cell.timestamp())) {
        return cell.valueLength() > 0;
      }
    }
    return false;
  }

  /** Returns the timestamp up to which markers hide a whole family; -1 if none does. */
  long hiddenUntil(byte[] family) {
    long until = -1;
    for (Cell marker : markers) {
      if (hidesFamily(marker)
          && CellType.hidesOlder(marker.typeCode())
          && isOfFamily(marker, family)) {
        until = Math.max(until, marker.timestamp());
      }
    }
    return until;
  }

  private static boolean hidesFamily(Cell marker) {
    return marker.typeCode() == CellType.DELETE_FAMILY.code()
        || marker.typeCode() == CellType.DELETE_FAMILY_VERSION.code();
  }

  private static boolean isOfFamily(Cell cell, byte[] family) {
    int offset = cell.familyOffset();
    return Arrays.equals(
        family, 0, family.length, cell.bytes(), offset, offset + cell.familyLength());
  }
}
