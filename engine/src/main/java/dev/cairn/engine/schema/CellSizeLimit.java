package dev.cairn.engine.schema;

/**
 * The greatest length of a cell that is written. A table may set its own limit in place of the
 * server's, but neither exceeds the limit of the heap.
 *
 * @param configuredBytes the server's limit, bytes; 0 for no limit but the heap's
 * @param heapBytes the limit of the heap, bytes, positive
 */
public record CellSizeLimit(long configuredBytes, long heapBytes) {
  /**
   * Returns a limit for a heap without one.
   *
   * @param bytes the limit; 0 for none
   */
  public static CellSizeLimit of(long bytes) {
    return new CellSizeLimit(bytes, Long.MAX_VALUE);
  }

  /** Returns the limit of a table without its own, bytes. */
  public long bytes() {
    return bounded(configuredBytes);
  }

  /** Returns the limit of a table, bytes. */
  public long bytes(TableSchema table) {
    return bounded(table.maxCellBytes().orElse(configuredBytes));
  }

  /** Returns the same limit with the table's own in place of the server's. */
  public CellSizeLimit forTable(TableSchema table) {
    return new CellSizeLimit(table.maxCellBytes().orElse(configuredBytes), heapBytes);
  }

  private long bounded(long configured) {
    return configured > 0 ? Math.min(configured, heapBytes) : heapBytes;
  }
}
