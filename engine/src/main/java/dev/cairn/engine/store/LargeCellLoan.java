package dev.cairn.engine.store;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The memory that a flush or a compaction borrows because its cells are very large. A block is at
 * least as large as its largest cell. Each input keeps one block in memory, and the writer keeps up
 * to three copies of the block that it writes. Smaller cells borrow nothing.
 *
 * <p>The wait for the memory is limited and ends when the region closes. The work then begins
 * without it: a flush frees more memory than it takes.
 */
final class LargeCellLoan implements AutoCloseable {
  /** Cells up to this length borrow nothing, bytes. */
  static final long SMALL_CELL_BYTES = 512 << 10;

  private static final int COPIES_WRITTEN = 3;
  private static final long WAIT_SECONDS = 20;

  private final MemoryAccount account;
  private final long bytes;

  private LargeCellLoan(MemoryAccount account, long bytes) {
    this.account = account;
    this.bytes = bytes;
  }

  /**
   * Borrows, waiting for the memory if need be.
   *
   * @param biggestCellBytes the length of the largest cell that is read or written
   * @param inputs how many files are read
   * @param hurry ends the wait soon after it returns true
   */
  static LargeCellLoan take(
      MemoryAccount account,
      Clock clock,
      long biggestCellBytes,
      int inputs,
      BooleanSupplier hurry) {
    if (biggestCellBytes <= SMALL_CELL_BYTES) {
      return new LargeCellLoan(account, 0);
    }
    long wanted = Math.min(account.largestLoan(), biggestCellBytes * (inputs + COPIES_WRITTEN));
    long deadline = clock.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    boolean borrowed = account.borrowInBackground(wanted, deadline, hurry);
    return new LargeCellLoan(account, borrowed ? wanted : 0);
  }

  /** Gives the memory back. */
  @Override
  public void close() {
    account.giveBack(bytes);
  }
}
