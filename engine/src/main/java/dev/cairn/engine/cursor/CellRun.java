package dev.cairn.engine.cursor;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;

/**
 * Describes a run of {@link CellCursor#copyRun}: which cells to copy, their target, the column at
 * which to stop, and the limits. Serves one run after another; not thread-safe.
 *
 * <p><b>Rows.</b> A run begins anywhere in a row. If it {@linkplain #crossesRows crosses rows}, it
 * continues after the end of the row, and records the size of each row that ends. The size of a row
 * includes its cells that were in the target before the run.
 *
 * <p><b>Limits.</b> They are sizes of the target: the run ends when the target has that many cells,
 * bytes or rows. So a run counts nothing itself.
 */
public final class CellRun {
  /**
   * The bytes that a cell counts against a limit in addition to its length: its object in the heap,
   * as in HBase.
   */
  public static final int CELL_OVERHEAD = 32;

  /** The end of a run that may go to the end of its source: an empty cell. */
  public static final Cell NO_END = new Cell();

  /** The sizes of rows for runs that do not cross rows; always empty. */
  public static final RowSizes NO_ROWS = new RowSizes();

  private static final CellBuffer NO_CELLS = new CellBuffer();

  private final Cell last = new Cell();
  private CellBuffer cells = NO_CELLS;
  private RowSizes rows = NO_ROWS;

  /** The number of cells in the target before its first row. */
  private int firstCell;

  private PlainCells rule = PlainCells.ANY;
  private Cell end = NO_END;
  private boolean crossesRows;
  private int cellsEnd;
  private long bytesEnd;
  private int rowsEnd;

  /** Sets the target: runs append cells to {@code cells}, and the sizes of rows to {@code rows}. */
  public void begin(CellBuffer cells, RowSizes rows) {
    this.cells = cells;
    this.rows = rows;
    firstCell = cells.size() - rows.cells();
  }

  /** Drops the references to the target. */
  public void release() {
    last.clear();
    cells = NO_CELLS;
    rows = NO_ROWS;
    end = NO_END;
  }

  /**
   * Sets the limits of the next run.
   *
   * @param end the run copies no cell of this cell's column or of a later one; {@link #NO_END} for
   *     no such limit
   * @param crossesRows whether the run may continue after the end of the row
   * @param cellsMax the most cells
   * @param bytesMax the run ends after the cell that reaches this {@link #byteSize}
   * @param rowsMax the run ends when the target has this many rows
   */
  public void limit(Cell end, boolean crossesRows, int cellsMax, long bytesMax, int rowsMax) {
    this.end = end;
    this.crossesRows = crossesRows;
    cellsEnd = cells.size() + Math.min(cellsMax, Integer.MAX_VALUE - cells.size());
    bytesEnd = bytesMax;
    rowsEnd = rowsMax;
  }

  /** Sets which cells are copied. */
  public void take(PlainCells wanted) {
    rule = wanted;
  }

  /** Returns which cells are copied. */
  public PlainCells rule() {
    return rule;
  }

  /** Returns the cell before whose column the run ends; {@link #NO_END} for none. */
  public Cell end() {
    return end;
  }

  /** Sets the end. A cursor that copies from other cursors restores it afterwards. */
  public void endBefore(Cell cell) {
    end = cell;
  }

  /** Tells whether the end is in the row of {@code cell}. */
  public boolean endsInRowOf(Cell cell) {
    // NO_END is an empty cell. Foreign files may have rows of no bytes, which would match it.
    return end != NO_END && end.sameRow(cell);
  }

  /** Tells whether the run may continue after the end of a row. */
  public boolean crossesRows() {
    return crossesRows;
  }

  /** Returns the number of cells in the target. */
  public int size() {
    return cells.size();
  }

  /** Returns the bytes that the cells in the target count against a limit. */
  public long byteSize() {
    return cells.byteSize() + (long) CELL_OVERHEAD * cells.size();
  }

  /** Returns the number of cells in the target that belong to the open row. */
  public int cellsOfRow() {
    return cells.size() - firstCell - rows.cells();
  }

  /** Returns how many more cells may be copied. */
  public int cellsLeft() {
    return cellsEnd - cells.size();
  }

  /**
   * Returns how many more bytes may be copied; the cell that reaches this limit is copied as a
   * whole.
   */
  public long bytesLeft() {
    return bytesEnd - byteSize();
  }

  /** Returns how many more rows may end, the open one included. */
  public int rowsLeft() {
    return rowsEnd - rows.size();
  }

  /** Tells whether a limit is reached. */
  public boolean isFull() {
    return cells.size() >= cellsEnd || byteSize() >= bytesEnd || rows.size() >= rowsEnd;
  }

  /** Copies a cell. */
  public void copy(Cell cell) {
    cells.add(cell);
  }

  /** Copies cells as {@link CellBuffer#addAll(byte[], int[], int, int)} does. */
  public void copy(byte[] bytes, int[] offsets, int from, int to) {
    cells.addAll(bytes, offsets, from, to);
  }

  /** Ends the open row after the last cell in the target. */
  public void rowEnds() {
    rows.add(cellsOfRow());
  }

  /**
   * Returns the sizes of the rows that have ended; cursors that copy many rows at once append to
   * them.
   */
  public RowSizes rowSizes() {
    return rows;
  }

  /**
   * Returns the last cell in the target, which must not be empty. The cell is valid until the next
   * call.
   */
  public Cell lastCell() {
    return cells.get(cells.size() - 1, last, 0);
  }

  /** Tells whether a cell is in the same row as the last cell in the target. */
  public boolean isInRow(Cell cell) {
    return lastCell().sameRow(cell);
  }
}
