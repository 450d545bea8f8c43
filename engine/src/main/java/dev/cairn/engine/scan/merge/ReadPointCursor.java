package dev.cairn.engine.scan.merge;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import java.io.IOException;

/** Hides the cells that were written after a read point. */
public final class ReadPointCursor implements CellCursor {
  private final CellCursor cursor;
  private final long readPoint;

  private ReadPointCursor(CellCursor cursor, long readPoint) {
    this.cursor = cursor;
    this.readPoint = readPoint;
  }

  /**
   * Returns a cursor over the cells of {@code cursor} whose sequence is at most {@code readPoint};
   * it owns {@code cursor} from now on.
   */
  public static CellCursor of(CellCursor cursor, long readPoint) {
    return readPoint == Long.MAX_VALUE ? cursor : new ReadPointCursor(cursor, readPoint);
  }

  @Override
  public Cell cell() {
    return cursor.cell();
  }

  @Override
  public boolean next() throws IOException {
    return cursor.next() && skipHidden();
  }

  @Override
  public int copyRun(CellRun run) throws IOException {
    if (run.rule().readPoint() > readPoint) {
      return 0;
    }
    int copied = cursor.copyRun(run);
    if (copied > 0 && cursor.cell() != null) {
      assert Marks.hitIf(cursor.cell().sequence() > readPoint, ReadMark.RUN_BEFORE_HIDDEN);
      skipHidden();
    }
    return copied;
  }

  @Override
  public boolean skipRow() throws IOException {
    boolean skips = cursor.skipRow();
    if (skips && cursor.cell() != null) {
      skipHidden();
    }
    return skips;
  }

  @Override
  public boolean skipColumn() throws IOException {
    return cursor.skipColumn() && skipHidden();
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    return cursor.seek(key) && skipHidden();
  }

  @Override
  public boolean seekBefore(Cell key) throws IOException {
    boolean found = cursor.seekBefore(key);
    while (found && cursor.cell().sequence() > readPoint) {
      found = cursor.seekBefore(cursor.cell().copy());
    }
    return found;
  }

  @Override
  public void close() {
    cursor.close();
  }

  private boolean skipHidden() throws IOException {
    while (cursor.cell().sequence() > readPoint) {
      if (!cursor.next()) {
        return false;
      }
    }
    return true;
  }
}
