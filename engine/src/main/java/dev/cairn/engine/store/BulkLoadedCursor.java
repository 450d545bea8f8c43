package dev.cairn.engine.store;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import java.io.IOException;

/**
 * Shows all cells of a bulk loaded file under the one sequence number with which the file was taken
 * into its store: the maker of the file knew none.
 */
final class BulkLoadedCursor implements CellCursor {
  private final CellCursor file;
  private final long sequence;
  private final CellComparator order;
  private final Cell shown = new Cell();
  private final Cell probe = new Cell();
  private boolean stands;

  BulkLoadedCursor(CellCursor file, long sequence, CellComparator order) {
    this.file = file;
    this.sequence = sequence;
    this.order = order;
  }

  @Override
  public Cell cell() {
    return stands ? shown : null;
  }

  @Override
  public boolean next() throws IOException {
    if (!stands) {
      throw new IllegalStateException("The cursor stands nowhere");
    }
    return show(file.next());
  }

  @Override
  public int copyRun(CellRun run) throws IOException {
    if (run.rule().readPoint() != Long.MAX_VALUE) {
      assert Marks.hit(ReadMark.BULK_LOADED_REFUSED);
      // The file would go by the numbers that it has stored.
      return 0;
    }
    int copied = file.copyRun(run);
    if (copied > 0) {
      assert Marks.hit(ReadMark.BULK_LOADED_RUN);
      show(file.cell() != null);
    }
    return copied;
  }

  @Override
  public boolean skipRow() throws IOException {
    boolean skips = file.skipRow();
    if (skips) {
      show(file.cell() != null);
    }
    return skips;
  }

  @Override
  public boolean skipColumn() throws IOException {
    return show(file.skipColumn());
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    return show(file.seek(border(key)));
  }

  @Override
  public boolean seekBefore(Cell key) throws IOException {
    return show(file.seekBefore(border(key)));
  }

  /**
   * Ignores the stored numbers of the file: cells with this key are all before it or all after it.
   */
  private Cell border(Cell key) {
    probe.set(key, sequence);
    boolean equalsComeBefore = order.compare(probe, key) < 0;
    probe.set(key, equalsComeBefore ? Long.MIN_VALUE : Long.MAX_VALUE);
    return probe;
  }

  private boolean show(boolean on) {
    stands = on;
    if (on) {
      shown.set(file.cell(), sequence);
    }
    return on;
  }

  @Override
  public void close() {
    stands = false;
    shown.clear();
    file.close();
  }
}
