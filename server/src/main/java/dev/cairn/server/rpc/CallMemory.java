package dev.cairn.server.rpc;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import java.io.IOException;

/**
 * The memory that one call's answer takes. {@link RpcCall#responseBuffer} borrows by itself as it
 * grows; a method borrows here what it allocates besides, and asks how much a scan may gather. One
 * thread at a time.
 */
public interface CallMemory {
  /** Lends whatever is asked for. */
  CallMemory UNLIMITED =
      new CallMemory() {
        @Override
        public void borrowForMessage(long bytes) {}

        @Override
        public void prepare(long cellBytes) {}

        @Override
        public long borrowForCells(long wantedBytes) {
          return wantedBytes;
        }

        @Override
        public void await(MemoryShortageException shortage) {}
      };

  /**
   * Returns how many bytes of cells an answer may have that finds the whole account free: a buffer
   * may stand half empty, and exists twice while it grows or is encoded.
   */
  static long largestAnswer(MemoryAccount account) {
    return account.largestLoan() / 4;
  }

  /**
   * Borrows for a part of the response message that is about to be built.
   *
   * @throws MemoryShortageException if the memory is not there now, or can never be there
   */
  void borrowForMessage(long bytes);

  /**
   * Waits for the memory of an answer that is known to be large, before anything is read for it.
   * Small ones do not wait. Not for network threads.
   *
   * @param cellBytes how many bytes of cells the answer is likely to have
   * @throws IOException what the client is told, if the memory does not become free in time
   */
  void prepare(long cellBytes) throws IOException;

  /**
   * Borrows for cells that the response buffer is going to hold. Does not wait: if there is less
   * memory than wanted, it borrows less, but always allows some.
   *
   * @return how many bytes of cells the buffer may gather, at most {@code wantedBytes}
   */
  long borrowForCells(long wantedBytes);

  /**
   * Drops all that was gathered for the answer and waits for the memory that was not there. The
   * method then begins again, with a new {@link RpcCall#responseBuffer}. Not for network threads.
   *
   * @throws IOException what the client is told, if the memory does not become free in time or can
   *     never be there
   */
  void await(MemoryShortageException shortage) throws IOException;
}
