package dev.cairn.engine.memstore;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;

/**
 * Adds the cells of a batch to a {@link SkipList}: the places of several rows are searched together
 * ({@link GroupSearch}), the further cells of a row are put behind its first one, and so are rows
 * that lie close to each other. One thread; any number of them beside each other.
 */
final class BatchInserter {
  /** How many rows are searched before anything is known of where the batch goes. */
  private static final int FIRST_ROWS_MAX = 8;

  private final SkipList list;
  private final SkipListInserter inserter;
  private GroupSearch search; // null until rows are searched together
  private final Cell cell = new Cell();
  private final Cell previous = new Cell();

  /** Where in the order the rows of a group begin, and behind the last one where it ends. */
  private final int[] starts = new int[GroupSearch.KEYS_MAX + 1];

  BatchInserter(SkipList list) {
    this.list = list;
    this.inserter = new SkipListInserter(list);
  }

  /**
   * Copies cells in under one sequence number.
   *
   * @param order the indexes of the cells, best in about the order of their rows
   */
  void add(CellBuffer cells, int[] order, long sequence) {
    int at = 0;
    while (at < order.length) {
      int rows = group(cells, order, at);
      if (rows == 1 || inserter.isNear(cells.get(order[starts[rows - 1]], cell, sequence))) {
        at = addRow(cells, order, at, starts[rows], sequence);
      } else {
        search(cells, order, rows, sequence);
        for (int row = 0; row < rows; row++) {
          inserter.add(cells.get(order[at], cell, sequence), sequence, search, row);
          at = addRow(cells, order, at + 1, starts[row + 1], sequence);
        }
      }
    }
  }

  /** Searches the places of the first cells of rows. */
  private void search(CellBuffer cells, int[] order, int rows, long sequence) {
    if (search == null) {
      search = new GroupSearch(list);
    }
    search.begin(cells.bytes(), sequence);
    for (int row = 0; row < rows; row++) {
      search.add(cells.get(order[starts[row]], cell, sequence));
    }
    search.run(inserter.finger());
  }

  private int addRow(CellBuffer cells, int[] order, int from, int to, long sequence) {
    for (int i = from; i < to; i++) {
      inserter.add(cells.get(order[i], cell, sequence), sequence);
    }
    return to;
  }

  /** Finds where the next rows begin; returns how many. */
  private int group(CellBuffer cells, int[] order, int from) {
    int rowsMax = from == 0 ? FIRST_ROWS_MAX : GroupSearch.KEYS_MAX;
    int rows = 0;
    int i = from;
    while (i < order.length) {
      boolean begins = i == from || !cells.get(order[i], cell, 0).sameRow(previous);
      if (begins && rows == rowsMax) {
        break;
      }
      if (begins) {
        starts[rows++] = i;
        cells.get(order[i], previous, 0);
      }
      i++;
    }
    starts[rows] = i;
    return rows;
  }
}
