package dev.cairn.server.rpc;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.time.Clock;
import java.io.IOException;

/**
 * What one call's answer has borrowed: for the buffer of its cells, for the message, and for the
 * encoded frame until the client has taken it. One thread at a time.
 *
 * <p>An answer borrows twice what its buffer takes: while a buffer grows, the old and the new array
 * exist; while the answer is encoded, the buffer and the frame. The first {@link #FREE_BYTES} are
 * not borrowed, so that short answers do not touch the account.
 */
final class AnswerMemory implements CallMemory, CellBuffer.Growth {
  /** Every call may take this much; the handlers bound how many do. */
  static final long FREE_BYTES = 256 << 10;

  /** Frames up to this size are not counted until they are sent; see {@link ServerConnection}. */
  private static final int SENT_FREE_BYTES = 64 << 10;

  /** Cells of this size need at most {@link #FREE_BYTES}, since a buffer is at most half empty. */
  private static final long CELLS_FREE_BYTES = FREE_BYTES / 4;

  /** Smaller answers borrow as they grow: the blocks that they are read from are small, too. */
  private static final long PREPARED_BYTES_MIN = 512 << 10;

  private final MemoryAccount account;
  private final ResponseBuffers buffers;
  private final Clock clock;
  private final long waitUntilNanos;
  private CellBuffer lent; // null if there is none
  private long messageBytes;
  private long borrowed;

  /**
   * Creates the memory of an answer that has nothing yet.
   *
   * @param waitUntilNanos {@code clock}'s time until which {@link #await} may wait
   */
  AnswerMemory(MemoryAccount account, ResponseBuffers buffers, Clock clock, long waitUntilNanos) {
    this.account = account;
    this.buffers = buffers;
    this.clock = clock;
    this.waitUntilNanos = waitUntilNanos;
  }

  /**
   * Returns an empty buffer, which is this call's until {@link #close}.
   *
   * @throws IllegalStateException if it has one already
   */
  CellBuffer buffer(int bytes) {
    if (lent != null) {
      throw new IllegalStateException("The call has asked for its buffer already");
    }
    CellBuffer buffer = buffers.take(bytes);
    if (!isCovered(2 * buffer.capacity())) {
      buffer = buffers.takeShort(); // and the long one is garbage
    }
    lent = buffer;
    buffer.watch(this);
    return buffer;
  }

  @Override
  public void growing(long capacity) {
    cover(2 * capacity + messageBytes);
  }

  @Override
  public void borrowForMessage(long bytes) {
    cover(bufferBytes() + messageBytes + bytes);
    messageBytes += bytes;
  }

  @Override
  public void prepare(long cellBytes) throws IOException {
    long wanted = Math.min(4 * cellBytes, account.largestLoan());
    long missing = wanted - borrowed;
    if (cellBytes <= PREPARED_BYTES_MIN || missing <= 0) {
      return;
    }
    if (!account.borrow(missing, waitUntilNanos)) {
      throw RpcErrors.forCaller(MemoryShortageException.forNow(wanted, account));
    }
    borrowed = wanted;
  }

  @Override
  public long borrowForCells(long wantedBytes) {
    for (long bytes = wantedBytes; bytes > CELLS_FREE_BYTES; bytes /= 2) {
      if (4 * bytes <= account.largestLoan() && isCovered(4 * bytes)) {
        return bytes;
      }
    }
    return Math.min(wantedBytes, CELLS_FREE_BYTES);
  }

  @Override
  public void await(MemoryShortageException shortage) throws IOException {
    close();
    // Twice of it: what was gathered when the memory ran out is seldom all.
    long wanted = Math.min(2 * shortage.neededBytes(), account.largestLoan());
    // Memory that is there now may still not be what is short: so the time ends it in any case.
    if (shortage.isPermanent()
        || clock.nanoTime() - waitUntilNanos >= 0
        || !account.borrow(wanted, waitUntilNanos)) {
      throw RpcErrors.forCaller(shortage);
    }
    borrowed = wanted;
  }

  /**
   * Borrows for the frame of the answer, before it is allocated.
   *
   * @param mayWait whether to wait for memory that the message needs beside its cells: what the
   *     call has done is done. Not for network threads
   * @throws MemoryShortageException if the memory is not there
   */
  void encoding(int frameBytes, boolean mayWait) {
    long bytes = (lent == null ? 0 : lent.capacity()) + messageBytes + frameBytes;
    boolean waits = mayWait && bytes <= account.largestLoan() && !isCovered(bytes);
    if (waits && account.borrow(bytes - borrowed, waitUntilNanos)) {
      borrowed = bytes;
    }
    cover(bytes);
  }

  /**
   * Gives the loan of an encoded frame to whoever sends it, who gives it back to the account.
   *
   * @return how many bytes that are
   */
  long handOver(int frameBytes) {
    long handed = frameBytes <= SENT_FREE_BYTES ? 0 : Math.min(borrowed, frameBytes);
    borrowed -= handed;
    return handed;
  }

  /** Gives back the buffer and all that is borrowed. May be called more than once. */
  void close() {
    if (lent != null) {
      CellBuffer buffer = lent;
      lent = null;
      buffer.watch(null);
      buffers.giveBack(buffer);
    }
    long all = borrowed;
    borrowed = 0;
    messageBytes = 0;
    account.giveBack(all);
  }

  private long bufferBytes() {
    return lent == null ? 0 : 2 * lent.capacity();
  }

  private void cover(long bytes) {
    if (bytes > FREE_BYTES && bytes > account.largestLoan()) {
      throw MemoryShortageException.forGood(
          bytes,
          "The answer to this call needs more than "
              + bytes
              + " bytes of memory, and the heap of this server has room for answers of "
              + CallMemory.largestAnswer(account)
              + " bytes of cells ("
              + RpcKeys.MAX_ROW_SIZE.name()
              + " is at most that). Read the row in parts (a scan with a batch or with partial"
              + " results, a filter, fewer columns or versions), or give the server a larger heap");
    }
    if (!isCovered(bytes)) {
      throw MemoryShortageException.forNow(bytes, account);
    }
  }

  private boolean isCovered(long bytes) {
    long missing = bytes - borrowed;
    if (bytes <= FREE_BYTES || missing <= 0) {
      return true;
    }
    if (!account.tryBorrow(missing)) {
      return false;
    }
    borrowed = bytes;
    return true;
  }
}
