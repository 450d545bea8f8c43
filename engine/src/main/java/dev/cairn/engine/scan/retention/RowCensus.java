package dev.cairn.engine.scan.retention;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the {@linkplain BigRow big rows} among those that a flush or compaction writes. Takes two
 * additions for each cell, and memory for big rows only. One thread.
 */
final class RowCensus {
  /** The most rows that are remembered. */
  static final int ROWS_MAX = 8;

  private static final Comparator<BigRow> LARGEST_FIRST =
      Comparator.comparingLong(BigRow::bytes).thenComparingLong(BigRow::versions).reversed();

  private final List<BigRow> rows = new ArrayList<>();

  // The row, and the column, at which the cells are.
  private long bytes;
  private long cells;
  private long cellsBeforeColumn;
  private long versions;

  /** Counts a cell that is written. */
  void add(int cellBytes) {
    bytes += cellBytes;
    cells++;
  }

  /** A column ends. */
  void endColumn() {
    versions = Math.max(versions, cells - cellsBeforeColumn);
    cellsBeforeColumn = cells;
  }

  /**
   * A row ends, with its last column.
   *
   * @param row has the row at its beginning
   */
  void endRow(byte[] row, int length) {
    if (cells >= BigRow.VERSIONS_MIN || bytes >= BigRow.BYTES_MIN) { // nearly never
      record(row, length);
    }
    bytes = 0;
    cells = 0;
    cellsBeforeColumn = 0;
    versions = 0;
  }

  private void record(byte[] row, int length) {
    endColumn();
    if (BigRow.isNotable(bytes, cells, versions)) {
      rows.add(new BigRow(Arrays.copyOf(row, length), bytes, cells, versions));
      if (rows.size() > ROWS_MAX) {
        rows.sort(LARGEST_FIRST);
        rows.remove(ROWS_MAX);
      }
    }
  }

  /** Returns the rows that were found, the largest first. */
  List<BigRow> rows() {
    return rows.stream().sorted(LARGEST_FIRST).toList();
  }
}
