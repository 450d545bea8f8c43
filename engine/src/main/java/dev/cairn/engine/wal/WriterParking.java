package dev.cairn.engine.wal;

import java.util.concurrent.locks.LockSupport;

/**
 * The rest of the log's writer while there is nothing for it to do, and what ends it. It lingers
 * for a moment first, in which entries gather that nobody waits for, and wakes by itself; after a
 * moment without any it sleeps until it is woken.
 *
 * <p>What says so in its comment is for whoever holds the lock of the {@link WalQueue} that this
 * belongs to; the others are for whoever has let go of it.
 */
final class WriterParking {
  private enum Depth {
    NONE,
    LINGERING,
    ASLEEP
  }

  private final long lingerNanos;
  private Depth depth = Depth.NONE; // guarded by the queue's lock

  private volatile Thread writer =
      Thread.currentThread(); // until the writer works or rests for the first time

  /**
   * Creates the rest of a writer that is busy.
   *
   * @param lingerNanos how long it waits for more to come, nanoseconds
   */
  WriterParking(long lingerNanos) {
    this.lingerNanos = lingerNanos;
  }

  /** Under the lock, for the writer: says that it goes to work. */
  void work() {
    writer = Thread.currentThread();
    depth = Depth.NONE;
  }

  /** Under the lock, for the writer: says that it will rest. */
  void begin(boolean asleep) {
    writer = Thread.currentThread();
    depth = asleep ? Depth.ASLEEP : Depth.LINGERING;
  }

  /** For the writer, after {@link #begin}: rests. Ends without a cause at times. */
  void rest(boolean asleep) {
    if (asleep) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, lingerNanos);
    }
  }

  /** Under the lock: tells whether the writer rests. */
  boolean isRest() {
    return depth != Depth.NONE;
  }

  /** Under the lock: tells whether the writer sleeps until it is woken. */
  boolean isSleep() {
    return depth == Depth.ASLEEP;
  }

  /**
   * Under the lock: ends the rest. Tells whether there was one: then the caller, and no other, must
   * {@link #wake} the writer.
   */
  boolean end() {
    boolean rests = depth != Depth.NONE;
    depth = Depth.NONE; // one wake-up is enough
    return rests;
  }

  /** Wakes the writer, if needed; also from what it waits for at its work. */
  void wake(boolean needed) {
    if (needed) {
      LockSupport.unpark(writer);
    }
  }
}
