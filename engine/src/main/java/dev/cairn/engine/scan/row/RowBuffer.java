package dev.cairn.engine.scan.row;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ScanFilter;
import java.io.IOException;
import java.util.Arrays;

/**
 * Holds a row that is judged as a whole before any of it is handed out, family by family. One
 * thread at a time.
 */
final class RowBuffer {
  /** The most bytes that an idle scan keeps of its row buffer. */
  private static final int KEPT_BYTES_MAX = 16 << 10;

  /** Stands in where rows are not staged; nothing is ever added. */
  private final CellBuffer none = new CellBuffer(0, 0);

  private final Cell view = new Cell();
  private CellBuffer cells = none;
  private int next;

  /** A scan begins that stages its rows, or does not. */
  void begin(boolean staged) {
    cells = staged ? new CellBuffer() : none;
  }

  /** Releases its cells. */
  void forget() {
    cells = none;
    view.clear();
  }

  /** Shrinks the buffer after a long row. Discards the staged cells. */
  void trim() {
    if (cells != none && cells.capacity() > KEPT_BYTES_MAX) {
      cells = new CellBuffer();
      view.clear();
    }
  }

  /** A row begins. */
  void startRow() {
    next = 0;
    if (cells != none) {
      cells.clear();
    }
  }

  /** Appends a copy of the row's next cell. */
  void add(Cell cell) {
    cells.add(cell);
  }

  /** Tells whether nothing is staged. */
  boolean isEmpty() {
    return cells.isEmpty();
  }

  /** Applies a filter to the whole row, and keeps and returns the result. */
  CellBuffer judge(ScanFilter filter) throws IOException {
    cells = filter.filterRowCells(cells);
    return cells;
  }

  /** Goes to the next cell, if it is of that family or one before it. */
  boolean advance(byte[] family) {
    if (next >= cells.size()) {
      return false;
    }
    cells.get(next, view, 0);
    int from = view.familyOffset();
    int to = from + view.familyLength();
    if (Arrays.compareUnsigned(view.bytes(), from, to, family, 0, family.length) > 0) {
      return false;
    }
    next++;
    return true;
  }

  /** Returns the cell at which {@link #advance} stopped; valid until the next call. */
  Cell cell() {
    return view;
  }
}
