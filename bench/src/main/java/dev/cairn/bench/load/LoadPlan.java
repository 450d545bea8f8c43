package dev.cairn.bench.load;

/**
 * The settings that all workloads of a run share.
 *
 * @param records rows of YCSB's table
 * @param fields cells of each
 * @param fieldBytes bytes of each cell's value
 * @param regions of YCSB's table, at the beginning
 * @param threads number of concurrent calls
 * @param cellBytesMax maximum bytes of values with which a table of one-cell rows is filled
 */
public record LoadPlan(
    int records, int fields, int fieldBytes, int regions, int threads, long cellBytesMax) {
  private static final int CELLS_MIN = 100;

  /** Checks the values. */
  public LoadPlan {
    if (records < 1 || fields < 1 || fieldBytes < 1 || threads < 1 || cellBytesMax < 1) {
      throw new IllegalArgumentException("Nothing to do");
    }
    if (regions < 1 || regions > 500) {
      throw new IllegalArgumentException(regions + " regions; it can be 1 to 500");
    }
  }

  /** Returns how many rows a table of one-cell rows has. */
  int cells(int valueBytes) {
    return (int) Math.min(records, Math.max(CELLS_MIN, cellBytesMax / valueBytes));
  }
}
