package dev.cairn.server.regionserver;

/**
 * How many bytes a region's rows are likely to take in a response: about as many as the last large
 * ones did. So a row of 100 KB is copied into a buffer that was used before and has room for it,
 * instead of one that grows: a get of it takes 1.5 KB of new heap instead of 104. Any number of
 * threads; of two that learn something at once, one's word may be lost.
 */
final class RowSize {
  /** Rows up to this size need no foresight: any buffer has the room, or grows at little cost. */
  private static final int SMALL_BYTES = 16 << 10;

  private static final int VERY_LARGE_BYTES = 512 << 10;
  private static final int SMALLER_SHIFT = 3;

  private volatile int expected;

  /** Returns how many bytes the next row is likely to take; 0 if few. */
  int expected() {
    return expected;
  }

  /**
   * Records the size of a row that a scan has read, if it is very large. Ignores smaller rows,
   * because a scan may read only a few of their columns.
   */
  void scanned(long bytes) {
    if (bytes > VERY_LARGE_BYTES) {
      was(bytes);
    }
  }

  /**
   * Takes note of how many bytes a row took; of 0, which a row does that is not there, none is
   * taken. Writes nothing where all rows are small.
   */
  void was(long bytes) {
    int before = expected;
    if (bytes == 0 || bytes <= SMALL_BYTES && before == 0) {
      return;
    }
    int now =
        bytes >= before
            ? (int) Math.min(bytes, Integer.MAX_VALUE)
            : before - (int) ((before - bytes) >> SMALLER_SHIFT);
    now = now <= SMALL_BYTES ? 0 : now;
    if (now != before) {
      expected = now;
    }
  }
}
