package dev.cairn.bench.engine;

/**
 * What is stored and how, the same for all sides.
 *
 * @param rows how many rows
 * @param columns how many cells a row has; with one, RocksDB's keys are the rows alone
 * @param valueBytes the length of each value
 * @param snappy whether blocks are compressed
 * @param synced whether a write is on the device before it is acknowledged, or with the operating
 *     system
 * @param cacheBytes memory for blocks
 * @param blockBytes the size of a data block
 * @param memTableBytes at which size what was written goes to a file
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
  /** How many of them may wait to be written to files before writers wait. */
  static final int MEM_TABLES = 4;

  /** Bits of a Bloom filter for each row. */
  static final int BLOOM_BITS = 10;

  Setting {
    if (rows < 1 || columns < 1 || columns > 10 || valueBytes < 1) {
      throw new IllegalArgumentException("At least one row, 1 to 10 columns, values of a byte");
    }
  }
}
