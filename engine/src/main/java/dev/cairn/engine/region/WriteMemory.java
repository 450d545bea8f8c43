package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;

/**
 * The memory that one write takes for what it reads: the value that an append is added to, the
 * cells of a condition. They may be as long as any cell, however short the request is. It is
 * borrowed as it is read, until {@link #close}. Nothing waits for it, because rows are locked. One
 * thread.
 */
final class WriteMemory implements CellBuffer.Growth, AutoCloseable {
  /** A write may take this much without a loan: the handlers bound how many do. */
  static final long FREE_BYTES = 256 << 10;

  /** How often what was read is in memory: as read, as a value, in the new cell and in the log. */
  private static final int COPIES = 4;

  private final MemoryAccount account;
  private long readBefore; // what the buffers take that are full
  private long reading; // what the present buffer takes
  private long borrowed;

  WriteMemory(MemoryAccount account) {
    this.account = account;
  }

  /** Returns an empty buffer for cells that are read next. */
  CellBuffer buffer() {
    readBefore += reading;
    reading = 0;
    CellBuffer buffer = new CellBuffer();
    buffer.watch(this);
    return buffer;
  }

  @Override
  public void growing(long capacity) {
    reading = capacity;
    long needed = COPIES * (readBefore + capacity);
    if (needed <= FREE_BYTES) {
      return;
    }
    long missing = Math.min(needed, account.largestLoan()) - borrowed;
    if (missing > 0) {
      if (!account.tryBorrow(missing)) {
        throw MemoryShortageException.forNow(needed, account);
      }
      borrowed += missing;
    }
  }

  /** Gives back all. */
  @Override
  public void close() {
    long all = borrowed;
    borrowed = 0;
    account.giveBack(all);
  }
}
