package dev.cairn.server.rpc;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.service.CallMemory;
import dev.cairn.server.rpc.wire.RpcErrors;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Borrows the memory of one call's response: the buffer of its cells, the message, and the encoded
 * frame until it is sent. One thread at a time.
 *
 * <p>A response borrows twice the size of its buffer. While a short buffer grows, the old and the
 * new array exist; while the response is encoded, the buffer and the frame exist. The first {@link
 * #FREE_BYTES} are not borrowed, so that short responses do not access the account. Most calls have
 * a short response and no object of this class.
 *
 * <p>A call whose request holds much memory is refused where others wait: two such calls could wait
 * for each other's memory.
 */
final class ResponseMemory implements CallMemory, CellBuffer.Growth {
  /** The bytes that every call may take without a loan. The number of handlers limits the total. */
  static final long FREE_BYTES = 256 << 10;

  /**
   * Frames up to this size are sent without a loan; {@link ServerConnection} has borrowed for them.
   */
  private static final int SENT_FREE_BYTES = 64 << 10;

  /**
   * Cells of this size need at most {@link #FREE_BYTES}, because a buffer is at most half empty.
   */
  private static final long CELLS_FREE_BYTES = FREE_BYTES / 4;

  /** Smaller responses borrow as they grow, because the blocks that they read are small, too. */
  private static final long PREPARED_BYTES_MIN = 512 << 10;

  private final MemoryAccount account;
  private final ResponseBuffers buffers;
  private final Clock clock;
  private final long waitUntilNanos;
  private final LongSupplier requestLoan;
  private CellBuffer lent; // null if there is none
  private long messageBytes;
  private long borrowed;

  /**
   * Creates the memory of a response; nothing is borrowed yet.
   *
   * @param waitUntilNanos {@code clock}'s time until which {@link #await} and {@link #prepare} may
   *     wait
   * @param requestLoan returns the bytes that are borrowed for the call's request
   */
  ResponseMemory(
      MemoryAccount account,
      ResponseBuffers buffers,
      Clock clock,
      long waitUntilNanos,
      LongSupplier requestLoan) {
    this.account = account;
    this.buffers = buffers;
    this.clock = clock;
    this.waitUntilNanos = waitUntilNanos;
    this.requestLoan = requestLoan;
  }

  /** Tells whether a response with a buffer of this {@code capacity} needs no loan. */
  static boolean isFree(long capacity) {
    return 2 * capacity <= FREE_BYTES;
  }

  /** Takes over a buffer that needed no loan so far, until {@link #close}. */
  void adopt(CellBuffer buffer) {
    lent = buffer;
    buffer.watch(this);
  }

  /**
   * Returns an empty buffer for this call's cells, until {@link #close}.
   *
   * @throws IllegalStateException if it has one already
   */
  CellBuffer buffer(int bytes) {
    if (lent != null) {
      throw new IllegalStateException("The call has its response buffer already");
    }
    CellBuffer buffer = buffers.take(bytes);
    if (!tryCover(2 * buffer.capacity())) {
      buffer = buffers.takeShort(); // the long one becomes garbage
    }
    adopt(buffer);
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
    if (!borrow(missing)) {
      throw RpcErrors.forCaller(MemoryShortageException.forNow(wanted, account));
    }
    borrowed = wanted;
  }

  @Override
  public long borrowForCells(long wantedBytes) {
    for (long bytes = wantedBytes; bytes > CELLS_FREE_BYTES; bytes /= 2) {
      if (4 * bytes <= account.largestLoan() && tryCover(4 * bytes)) {
        return bytes;
      }
    }
    return Math.min(wantedBytes, CELLS_FREE_BYTES);
  }

  @Override
  public void await(MemoryShortageException shortage) throws IOException {
    close();
    // Twice as much: the response was probably incomplete when the memory ran out.
    long wanted = Math.min(2 * shortage.neededBytes(), account.largestLoan());
    // Free memory may still not be the kind that is short, so the time ends the wait in any case.
    if (shortage.isPermanent() || clock.nanoTime() - waitUntilNanos >= 0 || !borrow(wanted)) {
      throw RpcErrors.forCaller(shortage);
    }
    borrowed = wanted;
  }

  /**
   * Borrows memory for the frame of the response. Must be called before the frame is allocated.
   *
   * @param mayWait whether to wait for the memory that the message needs beside its cells, because
   *     the call has been executed; not for network threads
   * @throws MemoryShortageException if the memory is not available
   */
  void encoding(int frameBytes, boolean mayWait) {
    long bytes = (lent == null ? 0 : lent.capacity()) + messageBytes + frameBytes;
    boolean waits = mayWait && bytes <= account.largestLoan() && !tryCover(bytes);
    if (waits && borrow(bytes - borrowed)) {
      borrowed = bytes;
    }
    cover(bytes);
  }

  /**
   * Hands the loan of an encoded frame over to the sender, which gives it back to the account.
   *
   * @return the bytes of the loan
   */
  long handOver(int frameBytes) {
    long handed = frameBytes <= SENT_FREE_BYTES ? 0 : Math.min(borrowed, frameBytes);
    borrowed -= handed;
    return handed;
  }

  /** Returns the bytes that are borrowed for the response. */
  long borrowedBytes() {
    return borrowed;
  }

  /** Gives back the buffer and all loans. Idempotent. */
  void close() {
    if (lent != null) {
      CellBuffer buffer = lent;
      lent = null;
      buffers.giveBack(buffer);
    }
    long all = borrowed;
    borrowed = 0;
    messageBytes = 0;
    account.giveBack(all);
  }

  private boolean borrow(long bytes) {
    return requestLoan.getAsLong() > account.mostHeldByWaiter()
        ? account.tryBorrow(bytes)
        : account.borrow(bytes, waitUntilNanos);
  }

  private long bufferBytes() {
    return lent == null ? 0 : 2 * lent.capacity();
  }

  private void cover(long bytes) {
    if (bytes > FREE_BYTES && bytes > account.largestLoan()) {
      throw MemoryShortageException.forGood(
          bytes,
          "The response to this call needs at least "
              + bytes
              + " bytes of memory, but this server's heap allows responses of at most "
              + CallMemory.largestResponse(account)
              + " bytes of cells ("
              + RpcKeys.MAX_ROW_SIZE.name()
              + " cannot exceed that). Read the row in parts (a scan with a batch or with"
              + " partial results, a filter, fewer columns or versions), or give the server a"
              + " larger heap");
    }
    if (!tryCover(bytes)) {
      throw MemoryShortageException.forNow(bytes, account);
    }
  }

  /**
   * Borrows the part of {@code bytes} that is not borrowed yet; false if it is not available now.
   */
  private boolean tryCover(long bytes) {
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
