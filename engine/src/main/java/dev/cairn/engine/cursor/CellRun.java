package dev.cairn.engine.cursor;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;

/**
 * What {@link CellCursor#copyRun} copies cells for: which cells a reader takes as they are, where
 * they go, up to which column, and how many. Serves one run after another; not thread-safe.
 *
 * <p><b>Rows.</b> A run begins anywhere in a row. If it {@linkplain #crossesRows crosses rows}, it
 * goes on behind the end of the row, and the sizes of the rows that end are noted. The size of a
 * row counts the cells that were in the target before the run, too.
 *
 * <p><b>Limits.</b> They are places in the target: so many cells, bytes and rows are there when the
 * run ends. Nothing has to be counted beside the target itself.
 */
public final class CellRun {
  /**
   * What a cell counts against a limit of bytes beside its own length: its object in the heap, as
   * HBase has it.
   */
  public static final int CELL_OVERHEAD = 32;

  /** A cell of no row, where there is no other end. */
  public static final Cell NO_END = new Cell();

  /** For runs that cross no rows: their sizes go nowhere. Nothing is ever added. */
  public static final RowSizes NO_ROWS = new RowSizes();

  private static final CellBuffer NO_CELLS = new CellBuffer();

  private final Cell last = new Cell();
  private CellBuffer cells = NO_CELLS;
  private RowSizes rows = NO_ROWS;

  /** How many cells the target had before its first row. */
  private int firstCell;

  private PlainCells rule = PlainCells.ANY;
  private Cell end = NO_END;
  private boolean crossesRows;
  private int cellsEnd;
  private long bytesEnd;
  private int rowsEnd;

  /**
   * Sets the target: rows are appended to {@code cells} from now on, and their sizes to {@code
   * rows}.
   */
  public void begin(CellBuffer cells, RowSizes rows) {
    this.cells = cells;
    this.rows = rows;
    firstCell = cells.size() - rows.cells();
  }

  /** Lets go of the target. */
  public void release() {
    last.clear();
    cells = NO_CELLS;
    rows = NO_ROWS;
    end = NO_END;
  }

  /**
   * Sets the limits of the next run.
   *
   * @param end no cell of this cell's column or of one behind that is copied, but for {@link
   *     #NO_END}
   * @param crossesRows whether the run may go on behind the end of the row
   * @param cellsMax the most cells
   * @param bytesMax no cell is copied behind the one that reaches this {@link #byteSize}
   * @param rowsMax at how many rows in the target the run ends
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

  /** Sets the end: a cursor that copies from others leaves it as it was. */
  public void endBefore(Cell cell) {
    end = cell;
  }

  /** Tells whether the end is in a row. */
  public boolean endsInRowOf(Cell cell) {
    // NO_END, being empty, would be of a row of no bytes, which foreign files may have.
    return end != NO_END && end.sameRow(cell);
  }

  /** Tells whether the run may go on behind the end of a row. */
  public boolean crossesRows() {
    return crossesRows;
  }

  /** Returns the number of cells in the target. */
  public int size() {
    return cells.size();
  }

  /** Returns what the cells in the target count against a limit of bytes. */
  public long byteSize() {
    return cells.byteSize() + (long) CELL_OVERHEAD * cells.size();
  }

  /** Returns how many cells the target has of the row that has not ended. */
  public int cellsOfRow() {
    return cells.size() - firstCell - rows.cells();
  }

  /** Returns how many more cells may be copied. */
  public int cellsLeft() {
    return cellsEnd - cells.size();
  }

  /** Returns how many more bytes may be copied, and the rest of the cell that reaches that. */
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

  /** The row ends with the last cell in the target. */
  public void rowEnds() {
    rows.add(cellsOfRow());
  }

  /** Returns the sizes of the rows that have ended, for who copies many rows at once. */
  public RowSizes rowSizes() {
    return rows;
  }

  /** Returns the last cell in the target, which has one; valid until the next call. */
  public Cell lastCell() {
    return cells.get(cells.size() - 1, last, 0);
  }

  /** Tells whether a cell is of the row of the last one in the target. */
  public boolean isInRow(Cell cell) {
    return lastCell().sameRow(cell);
  }
}
