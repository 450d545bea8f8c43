package dev.cairn.engine.explain;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.merge.MergingCursor;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Walks over all cells of one family in the order of a scan, row by row, whatever the scan itself
 * reads. Between rows it stands on the first cell of one, or at the end.
 */
final class FamilyWalk {
  private final byte[] family;
  private final boolean reversed;
  private final List<CellCursor> sources;
  private final CellCursor cells;

  FamilyWalk(byte[] family, boolean reversed, List<CellCursor> sources, CellComparator comparator) {
    this.family = family;
    this.reversed = reversed;
    this.sources = sources;
    this.cells = MergingCursor.of(comparator, sources);
  }

  /** Goes to the scan's first row. */
  void open(ScanRequest request) throws IOException {
    if (sources.isEmpty()) {
      return;
    }
    byte[] start = request.startRow();
    if (!reversed) {
      cells.seek(request.includeStart() ? Cell.firstOnRow(start) : behind(start));
    } else if (start.length == 0) {
      byte[] last = new byte[Cell.MAX_ROW_LENGTH];
      Arrays.fill(last, (byte) 0xFF);
      backTo(behind(last));
    } else {
      backTo(request.includeStart() ? behind(start) : Cell.firstOnRow(start));
    }
  }

  /** Returns the next cell, null at the end. It is valid until the walk goes on. */
  Cell cell() {
    return sources.isEmpty() ? null : cells.cell();
  }

  /** Tells whether the next cell is of this row. */
  boolean isIn(byte[] row) {
    Cell cell = cell();
    return cell != null && cell.rowEquals(row, 0, row.length);
  }

  /** Returns the index of the source that has the next cell. */
  int source() {
    Cell cell = cells.cell();
    for (int i = 0; i < sources.size(); i++) {
      if (sources.get(i).cell() == cell) {
        return i;
      }
    }
    throw new IllegalStateException("No source has the cell " + cell);
  }

  /** Passes the next cell. */
  void next() throws IOException {
    cells.next();
  }

  /** Leaves a row at whose end the walk is. */
  void leave(byte[] row) throws IOException {
    if (reversed) {
      backTo(Cell.firstOnRow(row));
    }
  }

  /** Goes to this row, or the first that follows in the scan's direction. */
  void skipTo(byte[] row) throws IOException {
    if (reversed) {
      backTo(behind(row));
    } else {
      cells.seek(Cell.firstOnRow(row));
    }
  }

  /** Closes all sources; may be called twice. */
  void close() {
    sources.forEach(CellCursor::close);
  }

  private void backTo(Cell key) throws IOException {
    if (cells.seekBefore(key)) {
      cells.seek(Cell.firstOnRow(cells.cell().row()));
    }
  }

  /** Returns the key after all cells of a row, in every order of rows. */
  private Cell behind(byte[] row) {
    return Cell.firstOnColumn(row, Arrays.copyOf(family, family.length + 1), new byte[0]);
  }
}
