package dev.cairn.engine.scan.retention;

/**
 * A row that is large, or has a column with many versions, as a flush or compaction wrote it.
 *
 * @param row the row; not to be changed
 * @param bytes the bytes of the cells that were written
 * @param cells the number of these cells
 * @param versions the most cells of one column
 */
public record BigRow(byte[] row, long bytes, long cells, long versions) {
  /** Minimum size of a big row, bytes. */
  public static final long BYTES_MIN = 1 << 20;

  /** Minimum number of cells of a big row. */
  public static final long CELLS_MIN = 10_000;

  /** Minimum number of versions of a column for which a row has many. */
  public static final long VERSIONS_MIN = 100;

  /** Tells whether a row with these figures is worth a mention. */
  static boolean isNotable(long bytes, long cells, long versions) {
    return bytes >= BYTES_MIN || cells >= CELLS_MIN || versions >= VERSIONS_MIN;
  }
}
