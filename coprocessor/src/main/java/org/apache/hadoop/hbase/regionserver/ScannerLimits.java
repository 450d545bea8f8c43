package org.apache.hadoop.hbase.regionserver;

import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.time.Clock;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.regionserver.ScannerContext.NextState;

/**
 * The limits of a call of a scanner, as HBase's scanners know them and as the engine's reads do. In
 * HBase's package, because what has been used of the limits is visible there alone.
 */
public final class ScannerLimits {
  private ScannerLimits() {}

  /**
   * Returns a budget in HBase's form.
   *
   * @param used the bytes that the call has used already
   */
  public static ScannerContext of(ReadBudget budget, long used, Clock clock) {
    LimitScope scope = budget.midRow() ? LimitScope.BETWEEN_CELLS : LimitScope.BETWEEN_ROWS;
    ScannerContext.Builder builder = ScannerContext.newBuilder(true);
    if (budget.maxCells() > 0) {
      builder.setBatchLimit(budget.maxCells());
    }
    if (budget.maxBytes() >= 0 && budget.maxBytes() != Long.MAX_VALUE) {
      builder.setSizeLimit(
          scope, Math.max(1, budget.maxBytes() - used), Long.MAX_VALUE, Long.MAX_VALUE);
    }
    if (budget.deadlineNanos() != Long.MAX_VALUE) {
      long left = TimeUnit.NANOSECONDS.toMillis(budget.deadlineNanos() - clock.nanoTime());
      builder.setTimeLimit(scope, Math.max(1, clock.currentTimeMillis() + left));
    }
    return builder.build();
  }

  /** Returns what is left of limits as a budget for one row. */
  public static ReadBudget budget(ScannerContext limits, Clock clock) {
    if (!limits.getKeepProgress()) {
      limits.clearProgress();
    }
    int cells =
        limits.hasBatchLimit(LimitScope.BETWEEN_CELLS)
            ? Math.max(1, limits.getBatchLimit() - limits.getBatchProgress())
            : -1;
    long bytes =
        limits.hasSizeLimit(LimitScope.BETWEEN_ROWS)
            ? Math.max(1, limits.getDataSizeLimit() - limits.getDataSizeProgress())
            : Long.MAX_VALUE;
    long deadline =
        limits.hasTimeLimit(LimitScope.BETWEEN_ROWS)
            ? clock.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(limits.getTimeLimit() - clock.currentTimeMillis())
            : Long.MAX_VALUE;
    boolean midRow =
        limits.hasSizeLimit(LimitScope.BETWEEN_CELLS)
            || limits.hasTimeLimit(LimitScope.BETWEEN_CELLS);
    return new ReadBudget(cells, bytes, deadline, midRow);
  }

  /**
   * Notes what a call has used.
   *
   * @param bytes the bytes of the cells, as a budget counts them
   * @param progress where the call ended
   * @param more whether there may be more rows
   * @return whether there may be more cells
   */
  public static boolean used(
      ScannerContext limits, int cells, long bytes, ScanProgress progress, boolean more) {
    limits.incrementBatchProgress(cells);
    limits.incrementSizeProgress(bytes, bytes);
    NextState state =
        switch (progress) {
          case BATCH_FULL -> NextState.BATCH_LIMIT_REACHED;
          case LIMIT_IN_ROW -> NextState.SIZE_LIMIT_REACHED_MID_ROW;
          case TIME_IN_ROW -> NextState.TIME_LIMIT_REACHED_MID_ROW;
          case LIMIT_BETWEEN_ROWS -> NextState.TIME_LIMIT_REACHED;
          case END -> NextState.NO_MORE_VALUES;
          default ->
              !more
                  ? NextState.NO_MORE_VALUES
                  : limits.checkSizeLimit(LimitScope.BETWEEN_ROWS)
                      ? NextState.SIZE_LIMIT_REACHED
                      : NextState.MORE_VALUES;
        };
    limits.setScannerState(state);
    return state.hasMoreValues();
  }

  /** Tells whether a call stopped at a limit within a row. */
  public static boolean isInRow(ScannerContext limits) {
    return limits.mayHaveMoreCellsInRow();
  }

  /**
   * Returns where a call of a foreign scanner ended that has more rows.
   *
   * @param limits those that it was given, which it may have ignored
   * @param hasCells whether it returned cells
   * @param budget the limits of the caller
   */
  public static ScanProgress progress(ScannerContext limits, boolean hasCells, ReadBudget budget) {
    ScanProgress complete = hasCells ? ScanProgress.ROW_DONE : ScanProgress.LIMIT_BETWEEN_ROWS;
    return switch (limits.scannerState) {
      case BATCH_LIMIT_REACHED ->
          hasCells && budget.maxCells() > 0 ? ScanProgress.BATCH_FULL : complete;
      case SIZE_LIMIT_REACHED_MID_ROW ->
          hasCells && budget.midRow() ? ScanProgress.LIMIT_IN_ROW : complete;
      case TIME_LIMIT_REACHED_MID_ROW -> budget.midRow() ? ScanProgress.TIME_IN_ROW : complete;
      default -> complete;
    };
  }
}
