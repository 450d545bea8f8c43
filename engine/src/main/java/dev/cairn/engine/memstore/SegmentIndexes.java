package dev.cairn.engine.memstore;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.index.IndexEntry;
import dev.cairn.engine.index.IndexedColumns;
import java.util.concurrent.atomic.LongAdder;

/**
 * The secondary indexes of a segment: for each indexed column a sorted set of the entries of its
 * puts. An entry is there before its cell, so a reader that sees the cell finds it. Like the
 * segment, they only grow. Thread-safe.
 */
public final class SegmentIndexes {
  private final IndexedColumns columns;
  private final SkipList[] entries;
  private final LongAdder[] counts;

  SegmentIndexes(IndexedColumns columns, int slabBytes) {
    this.columns = columns;
    this.entries = new SkipList[columns.count()];
    this.counts = new LongAdder[columns.count()];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = new SkipList(CellComparator.USER, slabBytes);
      counts[i] = new LongAdder();
    }
  }

  void add(Cell cell) {
    int column = columns.find(cell);
    if (column >= 0 && IndexEntry.isIndexed(cell)) {
      new SkipListInserter(entries[column]).add(new IndexEntry().of(cell), 0);
      counts[column].increment();
    }
  }

  void add(CellBuffer cells, int[] order) {
    Cell cell = new Cell();
    IndexEntry maker = null; // made for the first entry, as are the inserters
    SkipListInserter[] inserters = null;
    for (int index : order) {
      int column = columns.find(cells.get(index, cell, 0));
      if (column >= 0 && IndexEntry.isIndexed(cell)) {
        if (maker == null) {
          maker = new IndexEntry();
          inserters = new SkipListInserter[entries.length];
        }
        if (inserters[column] == null) {
          inserters[column] = new SkipListInserter(entries[column]);
        }
        inserters[column].add(maker.of(cell), 0);
        counts[column].increment();
      }
    }
  }

  /**
   * Opens a cursor over the entries of a column.
   *
   * @param column its number in the segment's columns
   */
  public CellCursor cursor(int column) {
    return new SegmentCursor(entries[column], Long.MAX_VALUE);
  }

  /** Returns the number of entries of a column. */
  public long entries(int column) {
    return counts[column].sum();
  }

  /** Returns the columns. */
  public IndexedColumns columns() {
    return columns;
  }

  long heapBytes() {
    long bytes = 0;
    for (SkipList list : entries) {
      bytes += list.heapBytes();
    }
    return bytes;
  }
}
