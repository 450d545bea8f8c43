package dev.cairn.engine.memstore;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;

/** A sorted set of cells in memory that grows only. Any number of threads may add and read. */
public final class MemStoreSegment {
  /**
   * Creates an empty segment, which takes next to no memory until the first cell comes.
   *
   * @param slabBytes the size to which slabs grow; a cell that is larger gets a slab of its own
   */
  public MemStoreSegment(CellComparator comparator, int slabBytes) {
    throw new UnsupportedOperationException();
  }

  /**
   * Copies a cell into the segment under {@code sequence}. Of several cells with the same key and
   * sequence the one that was added last stands first, and so wins.
   */
  public void add(Cell cell, long sequence) {
    throw new UnsupportedOperationException();
  }

  /** Opens a cursor that passes over cells with a sequence above {@code readPoint}. */
  public CellCursor cursor(long readPoint) {
    throw new UnsupportedOperationException();
  }

  /** Returns the heap that the segment takes, with all overhead, bytes. */
  public long byteSize() {
    throw new UnsupportedOperationException();
  }

  /** Returns the length of all cells together, bytes. */
  public long dataSize() {
    throw new UnsupportedOperationException();
  }

  /** Returns the number of cells. */
  public int cellCount() {
    throw new UnsupportedOperationException();
  }

  /** Tells whether there are no cells. */
  public boolean isEmpty() {
    throw new UnsupportedOperationException();
  }

  /** Returns the lowest timestamp, {@link Long#MAX_VALUE} if there are no cells. */
  public long minTimestamp() {
    throw new UnsupportedOperationException();
  }

  /** Returns the highest timestamp, {@link Long#MIN_VALUE} if there are no cells. */
  public long maxTimestamp() {
    throw new UnsupportedOperationException();
  }

  /** Returns the highest sequence, 0 if there are no cells. */
  public long maxSequence() {
    throw new UnsupportedOperationException();
  }
}
