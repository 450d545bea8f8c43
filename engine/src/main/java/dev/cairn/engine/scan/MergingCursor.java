package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import java.io.IOException;
import java.util.List;

/** Several cursors seen as one. */
public final class MergingCursor implements CellCursor {
  private MergingCursor() {}

  /**
   * Returns one cursor over all {@code sources}, which it owns from now on: the only one itself, or
   * a merge.
   *
   * @param sources newest first: of cells that compare equal, that of the earlier source comes
   *     first
   */
  public static CellCursor of(CellComparator comparator, List<CellCursor> sources) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Cell cell() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean next() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean seekBefore(Cell key) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
