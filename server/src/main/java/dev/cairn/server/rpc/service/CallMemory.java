package dev.cairn.server.rpc.service;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import java.io.IOException;

/**
 * Borrows the memory of one call's response. {@link RpcCall#responseBuffer} borrows for itself as
 * it grows. A method borrows here for its other allocations, and for the cells that a scan gathers.
 * One thread at a time.
 */
public interface CallMemory {
  /**
   * Returns the most bytes of cells in a response that has the whole account for itself: a buffer
   * may be half empty, and takes twice its size while it grows or is encoded.
   */
  static long largestResponse(MemoryAccount account) {
    return account.largestLoan() / 4;
  }

  /**
   * Borrows memory for a part of the response message, before it is built.
   *
   * @throws MemoryShortageException if the memory is not available now, or exceeds the limit
   */
  void borrowForMessage(long bytes);

  /**
   * Waits for the memory of a response that is expected to be large, before anything is read for
   * it. Does not wait for small responses. Must not be called on network threads.
   *
   * @param cellBytes the expected bytes of cells in the response
   * @throws IOException the error for the client, if the memory does not become free in time
   */
  void prepare(long cellBytes) throws IOException;

  /**
   * Borrows memory for cells of the response buffer. Does not wait. If less memory is available
   * than wanted, borrows less; always allows a small amount.
   *
   * @return the bytes of cells that the buffer may gather, at most {@code wantedBytes}
   */
  long borrowForCells(long wantedBytes);

  /**
   * Discards the partial response and waits for the missing memory. The method then starts again,
   * with a new {@link RpcCall#responseBuffer}. Must not be called on network threads.
   *
   * @throws IOException the error for the client, if the memory does not become free in time or
   *     exceeds the limit
   */
  void await(MemoryShortageException shortage) throws IOException;
}
