package dev.cairn.server.regionserver.hosted;

/**
 * Predicts the size of a region's rows in a response from the last large rows. So a row of 100 KB
 * is copied into a pooled buffer with enough room, instead of one that grows: a get allocates 1.5
 * KB instead of 104 KB. Any number of threads; concurrent updates may overwrite each other.
 */
public final class RowSize {
  /** Rows up to this size need no foresight: any buffer has the room, or grows at little cost. */
  private static final int SMALL_BYTES = 16 << 10;

  private static final int VERY_LARGE_BYTES = 512 << 10;
  private static final int SMALLER_SHIFT = 3;

  private volatile int expected;

  /** Returns how many bytes the next row is likely to take; 0 if few. */
  public int expected() {
    return expected;
  }

  /**
   * Records the size of a row that a scan has read, if it is very large. Ignores smaller rows,
   * because a scan may read only a few of their columns.
   */
  public void scanned(long bytes) {
    if (bytes > VERY_LARGE_BYTES) {
      was(bytes);
    }
  }

  /**
   * Takes note of how many bytes a row took; of 0, which a row does that is not there, none is
   * taken. Writes nothing where all rows are small.
   */
  public void was(long bytes) {
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
