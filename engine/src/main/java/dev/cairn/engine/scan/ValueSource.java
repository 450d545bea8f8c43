package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import java.io.Closeable;
import java.io.IOException;

/**
 * Finds the values of cells that hold a reference instead of a value. One scan, one thread.
 *
 * <p>The cell that it returns has the key of the one it was asked for, and is valid until the next
 * call. Asked for a cell that has its own value, it returns that cell.
 */
public interface ValueSource extends Closeable {
  /** Every cell has its own value. */
  ValueSource NONE =
      new ValueSource() {
        @Override
        public Cell resolve(Cell cell) {
          return cell;
        }

        @Override
        public void close() {}
      };

  /** Returns the cell with its value. */
  Cell resolve(Cell cell) throws IOException;

  @Override
  void close();
}
