package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.regionserver.ScannerContext.NextState;

/**
 * The limits of a call of a scanner of a flush or compaction. In HBase's package, because what has
 * been used of the limits is visible there alone.
 */
public final class BatchLimits {
  private BatchLimits() {}

  /** Returns limits by which each call returns at most so many cells, all of one row. */
  public static ScannerContext of(int cells) {
    return ScannerContext.newBuilder().setBatchLimit(cells).build();
  }

  /** Begins a call. */
  public static void begin(ScannerContext limits) {
    if (!limits.getKeepProgress()) {
      limits.clearProgress();
    }
  }

  /** Notes that the call returns a cell. Returns false if it must return no more. */
  public static boolean add(ScannerContext limits, long dataBytes, long heapBytes) {
    limits.incrementBatchProgress(1);
    limits.incrementSizeProgress(dataBytes, heapBytes);
    return !limits.checkBatchLimit(LimitScope.BETWEEN_CELLS)
        && !limits.checkSizeLimit(LimitScope.BETWEEN_CELLS);
  }

  /** Ends a call; returns {@code more}. */
  public static boolean end(ScannerContext limits, boolean more) {
    limits.setScannerState(more ? NextState.MORE_VALUES : NextState.NO_MORE_VALUES);
    return more;
  }
}
