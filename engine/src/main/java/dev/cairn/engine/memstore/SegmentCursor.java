package dev.cairn.engine.memstore;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.cursor.PlainCells;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;

/** Walks over a segment, past cells that are too new to be seen. */
public final class SegmentCursor implements CellCursor {
  private final SkipList list;
  private long readPoint;
  private final Cell view = new Cell();
  private final Cell ahead = new Cell();
  private int node;

  SegmentCursor(SkipList list, long readPoint) {
    this.list = list;
    this.readPoint = readPoint;
  }

  /** Begins another read, up to another sequence number, without a position. */
  public void restart(long newReadPoint) {
    node = 0;
    readPoint = newReadPoint;
  }

  @Override
  public Cell cell() {
    return node == 0 ? null : view;
  }

  @Override
  public boolean next() {
    return standOnVisible(list.next(node));
  }

  @Override
  public int copyRun(CellRun run) {
    int first = run.size();
    PlainCells rule = run.rule();
    Cell end = run.end();
    boolean endsInRow = run.endsInRowOf(view);
    boolean goesOn = true;
    while (goesOn
        && !run.isFull()
        && rule.include(view)
        && !(endsInRow && !end.isBehindColumn(view))) {
      int next = rule.endsColumn(view) ? behindColumn(ahead) : visibleFrom(list.next(node), ahead);
      int common = next == 0 ? -1 : view.columnMismatch(ahead);
      assert Marks.hitIf(
          next != 0 && next != list.next(node) && rule.endsColumn(view), ReadMark.SEGMENT_VERSIONS);
      if (common < 0) {
        assert Marks.hitIf(next == 0, ReadMark.SEGMENT_END);
        break;
      }
      boolean rowEnds = common < Short.BYTES + view.rowLength();
      run.copy(view);
      node = next;
      view.set(ahead);
      if (rowEnds) {
        assert Marks.hit(ReadMark.SEGMENT_ROW);
        goesOn = run.crossesRows() && !endsInRow;
        if (goesOn) {
          run.rowEnds();
          int order = end == CellRun.NO_END ? -1 : list.compareRows(view, end);
          goesOn = order <= 0;
          endsInRow = order == 0;
        }
      }
    }
    return run.size() - first;
  }

  @Override
  public boolean skipColumn() {
    node = behindColumn(ahead);
    view.set(ahead);
    return node != 0;
  }

  /** As {@link #visibleFrom}, starting after the current cell's column. */
  private int behindColumn(Cell cell) {
    int found = list.behindColumn(node, view, cell);
    return found == 0 || cell.sequence() <= readPoint ? found : visibleFrom(list.next(found), cell);
  }

  @Override
  public boolean seek(Cell key) {
    if (node != 0 && list.compare(node, key) < 0) {
      return standOnVisible(list.ceilingBehind(node, key));
    }
    boolean anewAtRow = node == 0 && key.keyLength() == key.rowLength() + Cell.KEY_OVERHEAD;
    return standOnVisible(anewAtRow ? list.ceilingOfRow(key) : list.ceiling(key));
  }

  @Override
  public boolean seekBefore(Cell key) {
    node = list.lower(key);
    while (node != 0) {
      list.read(node, view);
      if (view.sequence() <= readPoint) {
        return true;
      }
      node = list.lower(view);
    }
    return false;
  }

  @Override
  public void close() {
    node = 0;
    // Callers may keep a cell longer than the cursor; a reference to a slab would keep all of it in
    // memory.
    view.clear();
    ahead.clear();
  }

  private boolean standOnVisible(int from) {
    node = visibleFrom(from, view);
    return node != 0;
  }

  /**
   * Returns the first visible node, at {@code from} or later, with {@code cell} pointed at its
   * cell; 0 if there is none.
   */
  private int visibleFrom(int from, Cell cell) {
    int at = from;
    while (at != 0) {
      list.read(at, cell);
      if (cell.sequence() <= readPoint) {
        break;
      }
      at = list.next(at);
    }
    return at;
  }
}
