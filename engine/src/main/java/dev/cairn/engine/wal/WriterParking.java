package dev.cairn.engine.wal;

import dev.cairn.engine.time.Clock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/**
 * The rest of the log's writer while there is nothing for it to do, what ends it, and the thread
 * that rests. The writer lingers for a moment first, in which entries gather that nobody waits for;
 * after a moment without any it sleeps until it is woken.
 *
 * <p>{@link #drive} is the loop of the log's own thread, and {@link #wake} wakes that. All else is
 * for whoever holds the lock of the {@link WalQueue} that this belongs to.
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
  private boolean lingers; // also after somebody has ended that
  private long sinceNanos;
  private long newestTicket;

  private volatile Thread writer; // null if the log has no thread of its own

  /**
   * Creates the rest of a writer that is busy.
   *
   * @param lingerNanos how long it waits for more to come, nanoseconds
   */
  WriterParking(long lingerNanos, Clock clock) {
    this.lingerNanos = lingerNanos;
    this.clock = clock;
  }

  /** For the log's own thread: polls until the log has ended, and parks in between. */
  void drive(LongUnaryOperator poll) {
    writer = Thread.currentThread();
    long passedNanos = 0; // while a clock that is set by hand stood still
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
      LockSupport.unpark(writer);
    }
  }

  /** Says that the writer goes to work. */
  void work() {
    depth = Depth.NONE;
    lingers = false;
  }

  /**
   * Says that the writer has found nothing to do, and is to rest.
   *
   * @param ticket the newest one
   * @param idle whether there is nothing to linger for, if none has come since it began to linger
   * @return after how many nanoseconds it is to look again
   */
  long rest(long nowNanos, long ticket, boolean idle) {
    boolean lingered = hasLingered(nowNanos);
    if (depth == Depth.ASLEEP || lingered && idle && ticket == newestTicket) {
      depth = Depth.ASLEEP;
      lingers = false;
      return Long.MAX_VALUE;
    }
    if (lingered || !lingers) {
      sinceNanos = nowNanos;
      newestTicket = ticket;
    }
    depth = Depth.LINGERING;
    lingers = true;
    return sinceNanos + lingerNanos - nowNanos;
  }

  /** Tells whether the writer has lingered for long enough, or until its rest was ended. */
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
   * Ends the rest. Returns whether there was one: then the caller, and no other, must {@link #wake}
   * the writer.
   */
  boolean end() {
    boolean rests = depth != Depth.NONE;
    depth = Depth.NONE; // one wake-up is enough
    return rests;
  }
}
