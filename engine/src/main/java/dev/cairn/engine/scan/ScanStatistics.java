package dev.cairn.engine.scan;

import dev.cairn.engine.cursor.ReadMetrics;

/**
 * The counters of a scan since it began.
 *
 * @param rowsScanned rows of which the scan looked at one cell or more
 * @param rowsFiltered rows of which nothing was returned, because of the filter or because all
 *     cells are hidden
 * @param lastRow the last row that was looked at, empty before the first; for cursors and
 *     heartbeats
 * @param reads reads from memory and files; a copy
 * @param files number of store files, by the {@link SourceMetrics.Use#ordinal} of their use
 * @param seeks number of seeks in the families
 * @param fates number of cells that were looked at, by {@link CellOutcome#ordinal}; without skipped
 *     cells
 */
public record ScanStatistics(
    long rowsScanned,
    long rowsFiltered,
    byte[] lastRow,
    ReadMetrics reads,
    long[] files,
    long seeks,
    long[] fates) {
  /** The counters of a scan that has looked at nothing. */
  public static final ScanStatistics NONE = of(0, 0, new byte[0]);

  /** Returns statistics of which only the rows are known. */
  public static ScanStatistics of(long rowsScanned, long rowsFiltered, byte[] lastRow) {
    return new ScanStatistics(
        rowsScanned,
        rowsFiltered,
        lastRow,
        ReadMetrics.unused(),
        new long[SourceMetrics.Use.values().length],
        0,
        new long[CellOutcome.values().length]);
  }

  /** Returns the number of store files with this use. */
  public long files(SourceMetrics.Use use) {
    return files[use.ordinal()];
  }

  /** Returns how many cells at which the scan looked came to this. */
  public long cells(CellOutcome fate) {
    return fates[fate.ordinal()];
  }

  /** Returns how many cells the scan looked at. */
  public long cells() {
    long sum = 0;
    for (long count : fates) {
      sum += count;
    }
    return sum;
  }

  /** Returns the statistics since {@code earlier}, which is of the same scan. */
  public ScanStatistics since(ScanStatistics earlier) {
    ReadMetrics newReads = reads.another();
    newReads.add(reads);
    newReads.subtract(earlier.reads);
    return new ScanStatistics(
        rowsScanned - earlier.rowsScanned,
        rowsFiltered - earlier.rowsFiltered,
        lastRow,
        newReads,
        difference(files, earlier.files),
        seeks - earlier.seeks,
        difference(fates, earlier.fates));
  }

  private static long[] difference(long[] now, long[] earlier) {
    long[] difference = now.clone();
    for (int i = 0; i < now.length; i++) {
      difference[i] -= earlier[i];
    }
    return difference;
  }
}
