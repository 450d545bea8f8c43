package dev.cairn.server.rpc;

import dev.cairn.engine.memory.MemoryAccount;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CallQueueTooBigException;

/**
 * Borrows memory for the long requests of one connection before they are received. While there is
 * none, the connection is not read: the client's own buffers fill up. If there is none for half of
 * the time that the client waits, the call is refused and its frame skipped, without being
 * buffered. Confined to the network thread.
 */
final class FrameAdmission {
  /** Shorter frames are received without a loan; see {@link ServerConnection}. */
  static final int FREE_BYTES = 32 << 10;

  /**
   * How often a request's cells are in memory at once: in the network's buffer or the array that
   * they are read into, in the mutation, and in the log's queue or the memstore.
   */
  private static final int CELL_COPIES = 3;

  /** The same for the message, whose fields become objects. */
  private static final int MESSAGE_COPIES = 5;

  private static final long WAIT_MILLIS_MAX = 30_000;

  private final ServerConnection connection;
  private final MemoryAccount account;
  private final EventExecutor networkThread;
  private MemoryAccount.Waiter waiter; // null if nothing is waited for
  private ScheduledFuture<?> timer;
  private long loan; // of the frame that is coming in
  private long skipping; // how many bytes of a refused frame are still to come
  private boolean closed;

  FrameAdmission(ServerConnection connection, MemoryAccount account, EventExecutor networkThread) {
    this.connection = connection;
    this.account = account;
    this.networkThread = networkThread;
  }

  /**
   * Returns the longest request that is admitted, bytes. Any cell that comes in one can be read
   * again.
   */
  static long longestFrame(MemoryAccount account) {
    return Math.max(FREE_BYTES, CallMemory.largestAnswer(account));
  }

  /** Tells whether {@link #isAdmitted(long, CallHeader)} was asked about the present frame. */
  boolean isDecided() {
    return loan > 0 || waiter != null;
  }

  /** Tells whether the present frame has its memory. */
  boolean isAdmitted() {
    return loan > 0;
  }

  /**
   * Borrows the memory of a frame, or begins to wait for it.
   *
   * @param length the frame's length, more than {@link #FREE_BYTES}
   * @return whether the frame may be received now; else the connection is not read until then
   */
  boolean isAdmitted(long length, CallHeader header) {
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

  /** Returns the loan of a frame that has come in; it is the call's from now on. */
  long takeLoan() {
    long taken = loan;
    loan = 0;
    return taken;
  }

  /** Tells whether what comes in next belongs to a frame that was refused. */
  boolean isSkipping() {
    return skipping > 0;
  }

  /** Drops what has come in of a refused frame; tells whether that was the end of it. */
  boolean isSkipped(UnreadBytes in) {
    int bytes = (int) Math.min(skipping, in.size());
    in.bytes().skipBytes(bytes);
    skipping -= bytes;
    return skipping == 0;
  }

  /** Gives back all; the connection has ended. */
  void close() {
    closed = true;
    if (timer != null) {
      timer.cancel(false);
    }
    if (waiter != null && waiter.cancel()) {
      waiter = null; // else granted() is on its way
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
            "The server has no memory for a request of "
                + length
                + " bytes now: "
                + account.borrowedBytes()
                + " of the "
                + account.limitBytes()
                + " bytes for calls are taken"));
    connection.holdReading(false);
  }
}
