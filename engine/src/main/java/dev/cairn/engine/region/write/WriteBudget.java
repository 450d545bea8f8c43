package dev.cairn.engine.region.write;

import java.util.concurrent.TimeUnit;

/**
 * Limits the work of a write up to its begin, and tells whether it may wait for locks, files and
 * room in the log.
 *
 * @param mayWait whether the write may wait; if it must not and would have to, it does not begin
 * @param cellsMax the most cells of the write
 * @param readCellsMax the most cells of a mutation that reads the values it changes; each cell may
 *     need a read of the row
 * @param readNanos the most time of all its reads together, nanoseconds
 * @param readBytes the most bytes of cells that all its reads together return
 */
public record WriteBudget(
    boolean mayWait, int cellsMax, int readCellsMax, long readNanos, long readBytes) {
  /** Has no limits. */
  public static final WriteBudget UNLIMITED =
      new WriteBudget(true, Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /**
   * For a thread that must not wait. It takes about a microsecond to find a cell's place in the
   * memstore. A read takes at most its time, and mostly a hundredth of it.
   */
  public static final WriteBudget AT_ONCE =
      new WriteBudget(false, 1000, 32, TimeUnit.MICROSECONDS.toNanos(300), 64 << 10);
}
