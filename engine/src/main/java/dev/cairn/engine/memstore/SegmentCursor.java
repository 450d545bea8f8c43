package dev.cairn.engine.memstore;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;

/** Walks over a segment, past cells that are too new to be seen. */
public final class SegmentCursor implements CellCursor {
  private final SkipList list;
  private long readPoint;
  private final Cell view = new Cell();
  private int node;

  SegmentCursor(SkipList list, long readPoint) {
    this.list = list;
    this.readPoint = readPoint;
  }

  /** Begins another read, which sees cells up to another number. It stands nowhere then. */
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
  public boolean seek(Cell key) {
    if (node != 0 && list.compare(node, key) < 0) {
      return standOnVisible(list.ceilingBehind(node, key));
    }
    return standOnVisible(list.ceiling(key));
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
  }

  private boolean standOnVisible(int from) {
    node = from;
    while (node != 0 && list.sequence(node) > readPoint) {
      node = list.next(node);
    }
    if (node == 0) {
      return false;
    }
    list.read(node, view);
    return true;
  }
}
