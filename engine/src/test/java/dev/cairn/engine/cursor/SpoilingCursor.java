package dev.cairn.engine.cursor;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.probe.Loans;
import java.io.IOException;

/**
 * Shows each cell of another cursor in an array of its own, and overwrites the array when the
 * cursor moves on. So a reader that keeps a cell, or a part of its bytes, beyond the cursor's next
 * move reads nonsense.
 */
public final class SpoilingCursor implements CellCursor {
  private final CellCursor cursor;
  private final Cell shown = new Cell();
  private byte[] lent = Bytes.EMPTY;
  private boolean stands;

  /** Creates a cursor that owns {@code cursor}. */
  public SpoilingCursor(CellCursor cursor) {
    this.cursor = cursor;
  }

  @Override
  public Cell cell() {
    return stands ? shown : null;
  }

  @Override
  public boolean next() throws IOException {
    return show(cursor.next());
  }

  @Override
  public int copyRun(CellRun run) throws IOException {
    int copied = cursor.copyRun(run);
    if (copied > 0) {
      show(cursor.cell() != null);
    }
    return copied;
  }

  @Override
  public boolean skipRow() throws IOException {
    boolean skips = cursor.skipRow();
    if (skips) {
      show(cursor.cell() != null);
    }
    return skips;
  }

  @Override
  public boolean skipColumn() throws IOException {
    return show(cursor.skipColumn());
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    return show(cursor.seek(key));
  }

  @Override
  public boolean seekBefore(Cell key) throws IOException {
    return show(cursor.seekBefore(key));
  }

  @Override
  public void close() {
    cursor.close();
    show(false);
  }

  private boolean show(boolean on) {
    Loans.spoil(lent, 0, lent.length);
    stands = on;
    if (on) {
      Cell cell = cursor.cell();
      lent = new byte[cell.serializedLength(true)];
      cell.writeTo(lent, 0, true);
      shown.set(lent, 0, lent.length, cell.sequence());
    }
    return on;
  }
}
