package dev.cairn.engine.cursor;

import dev.cairn.engine.cell.Cell;
import java.io.Closeable;
import java.io.IOException;

/**
 * Walks over cells in the order of {@link dev.cairn.engine.cell.CellComparator}.
 *
 * <p><b>Position.</b> A cursor stands on a cell or nowhere. A new one stands nowhere: the first
 * call is {@link #seek} or {@link #seekBefore}. {@link #seek}, {@link #seekBefore} and {@link
 * #next} return whether the cursor stands on a cell afterwards; {@link #cell} returns that cell, or
 * null if it stands nowhere. {@code next} may be called only while it stands on a cell. After it
 * has run off an end it stands nowhere, and any seek brings it back.
 *
 * <p><b>Directions.</b> {@code seek} and {@code next} go forwards. A reverse scan goes row by row:
 * {@code seekBefore(firstOnRow(row))} lands on the last cell of the row before, {@code seek} then
 * goes to that row's first cell. {@code seek} works in both directions from any position; a short
 * step forwards is the common case and must be cheap (a cursor tries its current block before it
 * asks its index).
 *
 * <p><b>Bytes.</b> {@code cell()} returns a flyweight that belongs to the cursor and shows the
 * current cell; it is valid until the next call that moves or closes the cursor. A caller that
 * keeps it copies it. The bytes are never written to.
 *
 * <p><b>Sequence numbers.</b> A key that is sought is compared with its sequence number: {@code
 * seek} stops at the first cell {@code c} with {@code compare(c, key) >= 0}. Keys made by {@code
 * Cell.firstOnRow} and {@code firstOnColumn} carry the highest one and so come before everything of
 * their row or column.
 *
 * <p><b>Errors.</b> After an {@link IOException} the position is undefined; only {@code close} is
 * allowed. <b>Threads.</b> One at a time. <b>Closing</b> releases pinned blocks and files; closing
 * twice does nothing.
 */
public interface CellCursor extends Closeable {
  /** Returns the current cell, or null if the cursor stands nowhere. */
  Cell cell();

  /** Goes to the next cell. */
  boolean next() throws IOException;

  /**
   * Copies cells, beginning with the current one, and goes to the cell after them. So the reader
   * need not look at each cell. The cursor copies only cells that the run {@linkplain CellRun#rule
   * takes}, and a cell only if the next cell is of another column. So if the current cell is the
   * first of its column, each copied cell is the first of its column, and so is the cell after
   * them. The cursor may stop at any cell. The caller must ensure that the current cell comes
   * before the run's end.
   *
   * <p>If a cell {@linkplain PlainCells#endsColumn ends its column}, the cursor skips all later
   * cells of that column, of any type, as if they did not exist.
   *
   * <p>If the run crosses rows, the cursor calls {@link CellRun#rowEnds} for each row that ends; it
   * may omit the last one. A row does not end while the run's end is in it, because other sources
   * may have more cells of it.
   *
   * @return the number of copied cells, 0 or more
   */
  default int copyRun(CellRun run) throws IOException {
    return 0;
  }

  /**
   * Moves after all cells of the current row, if it can do so without reading them. May be called
   * only while the cursor stands on a cell.
   *
   * @return whether it did; if not, the cursor has not moved
   */
  default boolean skipRow() throws IOException {
    return false;
  }

  /**
   * Moves after all cells of the current column, without reading each. May be called only while the
   * cursor stands on a cell.
   *
   * @return whether the cursor stands on a cell afterwards
   */
  default boolean skipColumn() throws IOException {
    Cell column = cell().copy();
    boolean on = next();
    while (on && cell().sameColumn(column)) {
      on = next();
    }
    return on;
  }

  /** Moves to the first cell at or after {@code key}. */
  boolean seek(Cell key) throws IOException;

  /** Goes to the last cell before {@code key}. */
  boolean seekBefore(Cell key) throws IOException;

  @Override
  void close();
}
