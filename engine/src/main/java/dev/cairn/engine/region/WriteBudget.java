package dev.cairn.engine.region;

import java.util.concurrent.TimeUnit;

/**
 * What a write may take until it is begun: whether it may wait for locks, files and room in the
 * log, and how much work it may be.
 *
 * @param mayWait whether it may wait; if not, and it would have to, it is not begun
 * @param cellsMax how many cells it has at most
 * @param readCellsMax how many cells a mutation has at most that reads what it changes: for each
 *     one the row may be read
 * @param readNanos how long all its reads together may take, nanoseconds
 * @param readBytes how many bytes of cells all its reads together may return
 */
public record WriteBudget(
    boolean mayWait, int cellsMax, int readCellsMax, long readNanos, long readBytes) {
  /** Whatever it takes. */
  public static final WriteBudget UNLIMITED =
      new WriteBudget(true, Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /**
   * For a thread that must not wait. Each cell takes about a microsecond to find its place; a read
   * takes at most its time, and mostly a hundredth of it.
   */
  public static final WriteBudget AT_ONCE =
      new WriteBudget(false, 1000, 32, TimeUnit.MICROSECONDS.toNanos(300), 64 << 10);
}
