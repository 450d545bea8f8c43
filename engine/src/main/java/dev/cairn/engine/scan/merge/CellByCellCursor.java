package dev.cairn.engine.scan.merge;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import java.io.IOException;

/** Visits every cell of another cursor, so that an observer sees all of them. */
public final class CellByCellCursor implements CellCursor {
  private final CellCursor cursor;

  /** Creates a cursor that closes {@code cursor} when it is closed. */
  public CellByCellCursor(CellCursor cursor) {
    this.cursor = cursor;
  }

  @Override
  public Cell cell() {
    return cursor.cell();
  }

  @Override
  public boolean next() throws IOException {
    return cursor.next();
  }

  /** Moves by one cell only. */
  @Override
  public boolean skipColumn() throws IOException {
    return cursor.next();
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    return cursor.seek(key);
  }

  @Override
  public boolean seekBefore(Cell key) throws IOException {
    return cursor.seekBefore(key);
  }

  @Override
  public void close() {
    cursor.close();
  }
}
