package dev.cairn.server.rpc;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.rpc.service.CallMemory;
import dev.cairn.server.rpc.wire.CallHeader;
import dev.cairn.server.rpc.wire.UnreadBytes;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CallQueueTooBigException;

/**
 * Borrows memory for the long requests of one connection before they are received. While the memory
 * is not available, the connection is not read, so the client's own buffers fill up. After half of
 * the client's timeout, the call is refused, and its frame is skipped without being buffered.
 * Confined to the network thread.
 *
 * <p>Later calls of the same connection wait, too: the protocol sends frames one after another, so
 * nothing after a frame can be read before it. Other connections go on.
 */
final class FrameAdmission {
  /**
   * Frames up to this size are received without a loan; {@link ServerConnection} has borrowed for
   * them.
   */
  static final int FREE_BYTES = 32 << 10;

  /**
   * The copies of a request's cells that exist at the same time: in the network buffer or the
   * decoded array, in the mutation, and in the log's queue or the memstore.
   */
  private static final int CELL_COPIES = 3;

  /** The memory of the message and its objects, as a multiple of its encoded length. */
  private static final int MESSAGE_COPIES = 5;

  private static final long WAIT_MILLIS_MAX = 30_000;

  private final ServerConnection connection;
  private final MemoryAccount account;
  private final EventExecutor networkThread;
  private MemoryAccount.Waiter waiter; // null if no loan is queued
  private ScheduledFuture<?> timer;
  private long loan; // of the frame that is being received
  private long skipping; // the bytes of a refused frame that have not arrived yet
  private boolean closed;

  FrameAdmission(ServerConnection connection, MemoryAccount account, EventExecutor networkThread) {
    this.connection = connection;
    this.account = account;
    this.networkThread = networkThread;
  }

  /**
   * Returns the most bytes of an admitted request. Every cell in such a request can be read again
   * later.
   */
  static long longestFrame(MemoryAccount account) {
    return Math.max(FREE_BYTES, CallMemory.largestResponse(account));
  }

  /** Tells whether {@link #admit} was called for the present frame. */
  boolean isDecided() {
    return loan > 0 || waiter != null;
  }

  /** Tells whether the memory of the present frame is borrowed. */
  boolean isLent() {
    return loan > 0;
  }

  /**
   * Borrows the memory of a frame, or queues a loan for it.
   *
   * @param length the frame's length, more than {@link #FREE_BYTES}
   * @return whether the frame may be received now; if not, the connection is not read until the
   *     loan is granted
   */
  boolean admit(long length, CallHeader header) {
    long needed = needed(length, header);
    if (account.tryBorrow(needed)) {
      loan = needed;
      return true;
    }
    long waits = header.timeoutMillis() > 0 ? header.timeoutMillis() / 2 : WAIT_MILLIS_MAX;
    connection.holdReading(true);
    timer =
        networkThread.schedule(
            () -> giveUp(length, header.callId()),
            Math.min(waits, WAIT_MILLIS_MAX),
            TimeUnit.MILLISECONDS);
    waiter = account.borrowLater(needed, () -> tellGranted(needed));
    return false;
  }

  private long needed(long length, CallHeader header) {
    long cells = Math.min(length, header.cellLength() & 0xFFFFFFFFL);
    long needed = CELL_COPIES * cells + MESSAGE_COPIES * (length - cells);
    return Math.min(needed, account.largestLoan());
  }

  /** Hands the loan of a received frame over to its call. */
  long takeLoan() {
    long taken = loan;
    loan = 0;
    return taken;
  }

  /** Tells whether the next bytes belong to a refused frame. */
  boolean isSkipping() {
    return skipping > 0;
  }

  /**
   * Discards the received bytes of a refused frame.
   *
   * @return whether the frame has ended
   */
  boolean skip(UnreadBytes in) {
    int bytes = (int) Math.min(skipping, in.size());
    in.bytes().skipBytes(bytes);
    skipping -= bytes;
    return skipping == 0;
  }

  /** Gives back all loans, when the connection has ended. */
  void close() {
    closed = true;
    if (timer != null) {
      timer.cancel(false);
    }
    if (waiter != null && waiter.cancel()) {
      waiter = null; // otherwise granted() will run and give the loan back
    }
    account.giveBack(takeLoan());
  }

  private void tellGranted(long bytes) {
    try {
      networkThread.execute(() -> granted(bytes));
    } catch (RejectedExecutionException e) { // the network threads have ended
      account.giveBack(bytes);
    }
  }

  private void granted(long bytes) {
    waiter = null;
    timer.cancel(false);
    if (closed) {
      account.giveBack(bytes);
      return;
    }
    loan = bytes;
    connection.holdReading(false);
  }

  private void giveUp(long length, int callId) {
    if (closed || waiter == null || !waiter.cancel()) {
      return;
    }
    waiter = null;
    skipping = Integer.BYTES + length;
    connection.metrics().rejected.increment();
    connection.fail(
        callId,
        new CallQueueTooBigException(
            "The server lacks memory for a request of "
                + length
                + " bytes now: "
                + account.borrowedBytes()
                + " of the "
                + account.limitBytes()
                + " bytes for calls are in use. Try again later, or send smaller requests"));
    connection.holdReading(false);
  }
}
