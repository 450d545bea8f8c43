package dev.cairn.engine.wal;

import dev.cairn.engine.time.Clock;
import java.util.function.LongUnaryOperator;

/**
 * Parks the log's writer while it has nothing to do, and wakes it. The writer first lingers for a
 * moment, during which entries without waiters gather. After a moment without new entries it sleeps
 * until woken.
 *
 * <p>{@link #drive} is the loop of the log's own thread, and {@link #wake} wakes that thread. All
 * other methods require the lock of the {@link WalQueue}.
 */
final class WriterParking {
  private enum Depth {
    NONE,
    LINGERING,
    ASLEEP
  }

  private final long lingerNanos;
  private final Clock clock;
  private Depth depth = Depth.NONE;
  private boolean lingers; // stays true if the rest is ended early
  private long sinceNanos;
  private long newestTxid;

  private volatile Thread writer; // null if the log has no thread of its own

  /**
   * Creates the state of a busy writer.
   *
   * @param lingerNanos how long the writer lingers for more entries, nanoseconds
   */
  WriterParking(long lingerNanos, Clock clock) {
    this.lingerNanos = lingerNanos;
    this.clock = clock;
  }

  /** Polls until the log has ended, and parks between polls. For the log's own thread. */
  void drive(LongUnaryOperator poll) {
    writer = Thread.currentThread();
    long passedNanos = 0; // parked while a manual clock stood still
    for (long nanos = 0; nanos != GroupCommitWal.ENDED; ) {
      if (nanos > 0) {
        long before = clock.nanoTime();
        clock.park(nanos);
        passedNanos += nanos < Long.MAX_VALUE && clock.nanoTime() == before ? nanos : 0;
      }
      nanos = poll.applyAsLong(clock.nanoTime() + passedNanos);
    }
  }

  /** Wakes the log's own thread, if needed. */
  void wake(boolean needed) {
    if (needed) {
      clock.unpark(writer);
    }
  }

  /** Marks the writer as busy. */
  void work() {
    depth = Depth.NONE;
    lingers = false;
  }

  /**
   * Marks the writer as resting, because it has found nothing to do.
   *
   * @param txid the newest txid
   * @param idle whether the writer may sleep if no entry has come since it began to linger
   * @return nanoseconds until the writer asks again
   */
  long rest(long nowNanos, long txid, boolean idle) {
    boolean lingered = hasLingered(nowNanos);
    if (depth == Depth.ASLEEP || lingered && idle && txid == newestTxid) {
      depth = Depth.ASLEEP;
      lingers = false;
      return Long.MAX_VALUE;
    }
    if (lingered || !lingers) {
      sinceNanos = nowNanos;
      newestTxid = txid;
    }
    depth = Depth.LINGERING;
    lingers = true;
    return sinceNanos + lingerNanos - nowNanos;
  }

  /** Tells whether the writer has lingered long enough, or its rest was ended early. */
  boolean hasLingered(long nowNanos) {
    return lingers && (depth == Depth.NONE || nowNanos - sinceNanos >= lingerNanos);
  }

  /** Tells whether the writer rests. */
  boolean isRest() {
    return depth != Depth.NONE;
  }

  /** Tells whether the writer sleeps until it is woken. */
  boolean isSleep() {
    return depth == Depth.ASLEEP;
  }

  /**
   * Ends the rest. Returns true if the writer rested; then only this caller must {@link #wake} the
   * writer.
   */
  boolean end() {
    boolean rests = depth != Depth.NONE;
    depth = Depth.NONE; // one wake-up is enough
    return rests;
  }
}
