package dev.cairn.bench.engine;

/**
 * The data and the way of storing it, the same for all sides.
 *
 * @param rows number of rows
 * @param columns number of cells in a row; with one, RocksDB's keys are the rows alone
 * @param valueBytes the length of each value
 * @param snappy true if blocks are compressed
 * @param synced true if a write is on the device before it is acknowledged, false if the operating
 *     system has it
 * @param cacheBytes memory for blocks
 * @param blockBytes the size of a data block
 * @param memTableBytes size at which a memtable is flushed to a file
 */
record Setting(
    int rows,
    int columns,
    int valueBytes,
    boolean snappy,
    boolean synced,
    long cacheBytes,
    int blockBytes,
    long memTableBytes) {
  /** The number of memtables that may wait for a flush before writers wait. */
  static final int MEM_TABLES = 4;

  /** Bits of a Bloom filter for each row. */
  static final int BLOOM_BITS = 10;

  Setting {
    if (rows < 1 || columns < 1 || columns > 10 || valueBytes < 1) {
      throw new IllegalArgumentException("At least one row, 1 to 10 columns, values of a byte");
    }
  }
}
