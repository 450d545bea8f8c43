package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.state.RegionBusyException;

/**
 * Accounts for the memory of one write. It reserves the bytes that the write adds to the memstores,
 * and releases them if the write is not done. It borrows memory for the cells that the write reads,
 * such as the old value of an append or the cells of a condition, until {@link #close}. These cells
 * may be long even if the request is short. It never waits for memory, because rows are locked. One
 * thread.
 */
public final class WriteMemory implements CellBuffer.Growth, AutoCloseable {
  /** A write may take this much without a loan: the handlers bound how many do. */
  static final long FREE_BYTES = 256 << 10;

  /**
   * The number of copies in memory of data that was read: as read, as a value, in the new cell and
   * in the log.
   */
  private static final int COPIES = 4;

  private final MemoryAccount account;
  private final MemStoreRoom room;
  private final boolean inSteps;
  private long readBefore; // the bytes of full buffers
  private long reading; // the bytes of the present buffer
  private long borrowed;
  private long reserved; // the bytes that no memstore holds yet

  /** Accounts for a write that is staged soon after it has reserved memory. */
  public WriteMemory(MemoryAccount account, MemStoreRoom room) {
    this(account, room, false);
  }

  private WriteMemory(MemoryAccount account, MemStoreRoom room, boolean inSteps) {
    this.account = account;
    this.room = room;
    this.inSteps = inSteps;
  }

  /** Accounts for a write that may be staged long after it has reserved memory. */
  public static WriteMemory inSteps(MemoryAccount account, MemStoreRoom room) {
    return new WriteMemory(account, room, true);
  }

  /**
   * Reserves memory until {@code bytes} are reserved in all for the memstores.
   *
   * @throws RegionBusyException if there is no room
   */
  public void reserve(long bytes) throws RegionBusyException {
    long missing = bytes - reserved;
    if (missing > 0) {
      if (inSteps) {
        room.keep(missing);
      } else {
        room.reserve(missing);
      }
      reserved = bytes;
    }
  }

  /** Hands the reserved bytes over to the memstores. */
  public void added() {
    added(reserved);
  }

  /** Hands part of the reserved bytes over to the memstores. */
  public void added(long bytes) {
    reserved -= bytes;
    if (inSteps) {
      room.usedKept(bytes);
    }
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

  /** Gives back all borrowed memory, and reserved memory that the memstores do not use. */
  @Override
  public void close() {
    account.giveBack(borrowed);
    borrowed = 0;
    if (reserved > 0) {
      if (inSteps) {
        room.releaseKept(reserved);
      } else {
        room.release(reserved);
      }
    }
    reserved = 0;
  }
}
