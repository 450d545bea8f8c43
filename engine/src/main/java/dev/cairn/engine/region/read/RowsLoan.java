package dev.cairn.engine.region.read;

import dev.cairn.engine.memory.MemoryAccount;
import java.io.Closeable;

/**
 * The memory that a read borrows for the rows that an index has found, until it ends. Small numbers
 * of rows are free. It uses only what calls leave of the first half of the account, because a read
 * can do without an index. Not thread-safe.
 */
final class RowsLoan implements Closeable {
  /** The bytes for which nothing is borrowed. */
  private static final long FREE_BYTES = 16 << 10;

  /** The bytes of a loan, more than a small one, so that it leaves the account's reserve alone. */
  private static final long STEP_BYTES = 2 * MemoryAccount.SMALL_BYTES;

  private final MemoryAccount account;
  private long borrowed;

  RowsLoan(MemoryAccount account) {
    this.account = account;
  }

  /** Borrows what is missing for so many bytes. Returns false if the account has too little. */
  boolean covers(long bytes) {
    while (bytes - FREE_BYTES > borrowed) {
      if (account.borrowedBytes() > account.limitBytes() / 2 - STEP_BYTES
          || !account.tryBorrowStanding(STEP_BYTES)) {
        return false;
      }
      borrowed += STEP_BYTES;
    }
    return true;
  }

  /** Gives back what so many bytes do not need. */
  void shrink(long bytes) {
    while (borrowed > 0 && bytes - FREE_BYTES <= borrowed - STEP_BYTES) {
      account.giveBackStanding(STEP_BYTES);
      borrowed -= STEP_BYTES;
    }
  }

  /** Gives back all. */
  @Override
  public void close() {
    account.giveBackStanding(borrowed);
    borrowed = 0;
  }
}
