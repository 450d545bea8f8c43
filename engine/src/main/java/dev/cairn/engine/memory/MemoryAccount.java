package dev.cairn.engine.memory;

import dev.cairn.engine.time.Clock;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Lends out a fixed number of bytes of memory. A borrower borrows before it allocates and gives
 * back after the memory is free; the account allocates nothing itself. Thread-safe.
 *
 * <p><b>Small and large loans.</b> An eighth of the account is a reserve that only loans of up to
 * {@link #SMALL_BYTES} may use, so large loans cannot shut out small ones.
 *
 * <p><b>Order.</b> Large loans are granted in the order in which they were asked for: while one
 * waits, {@link #tryBorrow} grants no other large one. So a loan of almost the whole account is
 * granted as soon as the earlier ones end. A loan that standing loans leave no room for is passed
 * over until some of those end.
 *
 * <p><b>No deadlock.</b> Whoever waits does so for a limited time. A borrower should hold no other
 * large loan while it waits.
 *
 * <p>A loan that is granted at once costs one atomic addition.
 */
public final class MemoryAccount {
  /** The largest loan that may use the reserve, bytes. */
  public static final long SMALL_BYTES = 64 << 10;

  private static final int RESERVE_PARTS = 8;
  private static final int NOTICE_PARTS = 32;

  private final long limitBytes;
  private final long reserveBytes;
  private final long noticeBytes;
  private final int blockedThreadsMax;
  private final Clock clock;

  private final AtomicLong borrowed = new AtomicLong();
  private final AtomicLong standing = new AtomicLong();
  private final AtomicLong noticed = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>(); // guarded by itself
  private int blockedThreads; // guarded by waiters

  /** The length of {@link #waiters}; written under its lock. */
  private volatile int waiting;

  private volatile LongConsumer observer = bytes -> {};

  /**
   * Creates an account that has lent nothing.
   *
   * @param limitBytes how much it lends at most, positive
   * @param blockedThreadsMax how many threads may wait in {@link #borrow} at once
   * @param clock tells when a wait is over
   */
  public MemoryAccount(long limitBytes, int blockedThreadsMax, Clock clock) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException("An account of " + limitBytes + " bytes lends nothing");
    }
    this.limitBytes = limitBytes;
    this.reserveBytes = limitBytes / RESERVE_PARTS;
    this.noticeBytes = Math.max(1, limitBytes / NOTICE_PARTS);
    this.blockedThreadsMax = blockedThreadsMax;
    this.clock = clock;
  }

  /**
   * Returns an account whose loans are always granted, for code without a limit such as the
   * servers' own clients and tests.
   */
  public static MemoryAccount unlimited() {
    return new MemoryAccount(Long.MAX_VALUE / 2, 0, Clock.SYSTEM);
  }

  /**
   * Calls {@code observer} with the number of bytes lent whenever that has grown or shrunk by about
   * a thirty-second of the account. The call comes from the borrowing thread, before it allocates,
   * or from the thread that gives back; it must be short and must not block.
   */
  public void observe(LongConsumer observer) {
    this.observer = observer;
  }

  /** Returns how much the account lends at most, bytes. */
  public long limitBytes() {
    return limitBytes;
  }

  /**
   * Returns the largest single loan that is granted, bytes: less than the reserve leaves, so that
   * it can be had while some small loans last.
   */
  public long largestLoan() {
    return limitBytes - 2 * reserveBytes;
  }

  /** Returns what is lent now, bytes. */
  public long borrowedBytes() {
    return borrowed.get();
  }

  /**
   * Borrows {@code bytes} if they are there now. Does not block.
   *
   * @return false if they are not, or if the loan is large and others wait; nothing is borrowed
   */
  public boolean tryBorrow(long bytes) {
    if (bytes > SMALL_BYTES && waiting > 0 && isAnyoneNext() || !take(bytes)) {
      refused.incrementAndGet();
      return false;
    }
    return true;
  }

  /**
   * Borrows {@code bytes}, waiting for them if need be. Not for network threads.
   *
   * @param deadlineNanos the clock's {@link Clock#nanoTime} at which to stop waiting
   * @return false if the bytes did not become free in time, can never be lent, or as many threads
   *     wait as may; nothing is borrowed
   */
  public boolean borrow(long bytes, long deadlineNanos) {
    if (tryBorrow(bytes)) {
      return true;
    }
    if (bytes > largestLoan()) {
      return false;
    }
    synchronized (waiters) {
      if (blockedThreads >= blockedThreadsMax) {
        return false;
      }
      blockedThreads++;
    }
    try {
      return await(bytes, deadlineNanos);
    } finally {
      synchronized (waiters) {
        blockedThreads--;
      }
    }
  }

  /**
   * Borrows {@code bytes} as {@link #borrow} does, for the few threads of flushes and compactions.
   * They wait however many other threads wait.
   *
   * @param bytes at most {@link #largestLoan}
   */
  public boolean borrowInBackground(long bytes, long deadlineNanos) {
    return tryBorrow(bytes) || await(bytes, deadlineNanos);
  }

  private boolean await(long bytes, long deadlineNanos) {
    Thread thread = Thread.currentThread();
    Waiter waiter = borrowLater(bytes, () -> LockSupport.unpark(thread));
    boolean interrupted = false;
    try {
      while (!waiter.isGranted()) {
        long left = deadlineNanos - clock.nanoTime();
        if (left <= 0) {
          return !waiter.cancel();
        }
        LockSupport.parkNanos(this, left);
        interrupted |= Thread.interrupted();
      }
      return true;
    } finally {
      if (interrupted) {
        thread.interrupt();
      }
    }
  }

  /**
   * Queues a loan that is granted when the bytes are there, which may be at once.
   *
   * @param bytes at most {@link #largestLoan}
   * @param granted runs once the bytes are borrowed, on this thread or the one that gave bytes
   *     back; must be short and must not block
   * @return the place in the queue
   */
  public Waiter borrowLater(long bytes, Runnable granted) {
    if (bytes > largestLoan()) {
      throw new IllegalArgumentException(
          bytes + " bytes can never be lent out of " + limitBytes + " bytes");
    }
    Waiter waiter = new Waiter(bytes, granted);
    synchronized (waiters) {
      waiters.add(waiter);
      waiting = waiters.size();
    }
    grantWaiting();
    return waiter;
  }

  /**
   * As {@link #tryBorrow}, for a loan that may last for minutes and belongs to no call, as for a
   * connection. A large loan that such loans leave no room for holds up no others.
   */
  public boolean tryBorrowStanding(long bytes) {
    boolean borrows = tryBorrow(bytes);
    if (borrows) {
      standing.addAndGet(bytes);
    }
    return borrows;
  }

  /** Gives back what {@link #tryBorrowStanding} has lent. */
  public void giveBackStanding(long bytes) {
    standing.addAndGet(-bytes);
    giveBack(bytes);
  }

  /** Gives back {@code bytes}, which were borrowed before in one loan or several. */
  public void giveBack(long bytes) {
    if (bytes == 0) {
      return;
    }
    long now = borrowed.addAndGet(-bytes);
    if (now < 0) {
      throw new IllegalStateException("More was given back than was borrowed: " + -now + " bytes");
    }
    notice(now);
    if (waiting > 0) {
      grantWaiting();
    }
  }

  /** Returns how the account stands. */
  public Snapshot snapshot() {
    return new Snapshot(limitBytes, Math.min(limitBytes, borrowed.get()), waiting, refused.get());
  }

  /**
   * How an account stands.
   *
   * @param limitBytes what it lends at most
   * @param borrowedBytes what it has lent
   * @param waiting how many loans are waited for
   * @param refused how many loans were not granted at once since the start
   */
  public record Snapshot(long limitBytes, long borrowedBytes, int waiting, long refused) {}

  private boolean take(long bytes) {
    if (bytes > SMALL_BYTES) { // adding it and taking it off again could make small loans fail
      boolean taken = isTaken(bytes);
      if (taken) {
        notice(borrowed.get());
      }
      return taken;
    }
    long now = borrowed.addAndGet(bytes);
    if (now > limitBytes) {
      borrowed.addAndGet(-bytes);
      if (waiting > 0) {
        grantWaiting(); // a loan may have failed because of the bytes added above
      }
      return false;
    }
    notice(now);
    return true;
  }

  private void notice(long now) {
    long before = noticed.get();
    if (Math.abs(now - before) >= noticeBytes && noticed.compareAndSet(before, now)) {
      observer.accept(now);
    }
  }

  private void grantWaiting() {
    while (true) {
      Waiter first;
      synchronized (waiters) {
        first = next();
        if (first == null || !isTaken(first.bytes)) {
          return;
        }
        waiters.remove(first);
        waiting = waiters.size();
        first.granted = true;
      }
      notice(borrowed.get());
      first.told.run();
    }
  }

  private boolean isAnyoneNext() {
    synchronized (waiters) {
      return next() != null;
    }
  }

  /** Returns the first waiter that there is room for when all calls have ended; null if none. */
  private Waiter next() {
    long room = limitBytes - reserveBytes - standing.get();
    for (Waiter waiter : waiters) {
      if (waiter.bytes <= Math.max(SMALL_BYTES, room)) {
        return waiter;
      }
    }
    return null;
  }

  private boolean isTaken(long bytes) {
    long most = bytes > SMALL_BYTES ? limitBytes - reserveBytes : limitBytes;
    long now = borrowed.get();
    while (now + bytes <= most) {
      if (borrowed.compareAndSet(now, now + bytes)) {
        return true;
      }
      now = borrowed.get();
    }
    return false;
  }

  /** A loan that is waited for. Thread-safe. */
  public final class Waiter {
    private final long bytes;
    private final Runnable told;
    private volatile boolean granted; // written under the lock of waiters

    private Waiter(long bytes, Runnable told) {
      this.bytes = bytes;
      this.told = told;
    }

    /** Tells whether the bytes are borrowed; then they have to be given back. */
    public boolean isGranted() {
      return granted;
    }

    /**
     * Stops waiting.
     *
     * @return false if the bytes are borrowed already; then they have to be given back
     */
    public boolean cancel() {
      synchronized (waiters) {
        if (granted) {
          return false;
        }
        waiters.remove(this);
        waiting = waiters.size();
      }
      grantWaiting(); // the next one may want less
      return true;
    }
  }
}
