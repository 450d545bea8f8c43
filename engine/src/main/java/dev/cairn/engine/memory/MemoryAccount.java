package dev.cairn.engine.memory;

import dev.cairn.engine.time.Clock;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Bounds the memory of many users by lending a fixed number of bytes. A borrower borrows before it
 * allocates, and gives the bytes back after it frees the memory. The account itself allocates
 * nothing. Thread-safe.
 *
 * <p><b>Small and large loans.</b> Only loans of up to {@link #SMALL_BYTES} may use the last eighth
 * of the account, so large loans cannot starve small ones.
 *
 * <p><b>Order.</b> Large loans are granted in the order of their requests: while one waits, {@link
 * #tryBorrow} grants no other large loan. So even a loan of almost the whole account is granted
 * once the earlier loans end. A loan that standing loans leave no room for is skipped until some of
 * them end.
 *
 * <p><b>No deadlock.</b> Every wait has a deadline. A borrower that waits should hold at most
 * {@link #mostHeldByWaiter} in other loans.
 *
 * <p>A loan that need not wait costs one atomic addition.
 */
public final class MemoryAccount {
  /** The largest loan that may use the reserve, bytes. */
  public static final long SMALL_BYTES = 64 << 10;

  private static final int RESERVE_PARTS = 8;
  private static final int NOTICE_PARTS = 32;

  /** The time after which a waiting background loan checks again whether to hurry. */
  private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

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
   * Creates an account without loans.
   *
   * @param limitBytes the most bytes that it lends, positive
   * @param blockedThreadsMax the most threads that may wait in {@link #borrow} at once
   * @param clock measures the waits
   */
  public MemoryAccount(long limitBytes, int blockedThreadsMax, Clock clock) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException(
          "The limit of a memory account must be positive, not " + limitBytes + " bytes");
    }
    this.limitBytes = limitBytes;
    this.reserveBytes = limitBytes / RESERVE_PARTS;
    this.noticeBytes = Math.max(1, limitBytes / NOTICE_PARTS);
    this.blockedThreadsMax = blockedThreadsMax;
    this.clock = clock;
  }

  /**
   * Returns an account that grants every loan, for code without a memory limit such as the servers'
   * own clients and tests.
   */
  public static MemoryAccount unlimited() {
    return new MemoryAccount(Long.MAX_VALUE / 2, 0, Clock.SYSTEM);
  }

  /**
   * Calls {@code observer} with the number of bytes lent, each time it has changed by about 1/32 of
   * the account. The thread that borrows or gives back makes the call; a borrower has not allocated
   * yet. The observer must be short and must not block.
   */
  public void observe(LongConsumer observer) {
    this.observer = observer;
  }

  /** Returns the most bytes that the account lends. */
  public long limitBytes() {
    return limitBytes;
  }

  /**
   * Returns the size of the largest loan that can be granted, bytes. It leaves some room in
   * addition to the reserve, so that it can be granted while a few small loans last.
   */
  public long largestLoan() {
    return limitBytes - 2 * reserveBytes;
  }

  /**
   * Returns how much a thread may hold in other loans while it waits in {@link #borrow}, bytes. If
   * each waiting thread holds at most this, all of them together leave room for a {@link
   * #largestLoan}, so they cannot wait for each other.
   */
  public long mostHeldByWaiter() {
    return reserveBytes / Math.max(1, blockedThreadsMax);
  }

  /** Returns the bytes that are lent now. */
  public long borrowedBytes() {
    return borrowed.get();
  }

  /**
   * Borrows {@code bytes} if they are available now. Does not block.
   *
   * @return false, with nothing borrowed, if they are not available, or if the loan is large and
   *     another large loan waits
   */
  public boolean tryBorrow(long bytes) {
    if (bytes > SMALL_BYTES && waiting > 0 && isAnyoneNext() || !take(bytes)) {
      refused.incrementAndGet();
      return false;
    }
    return true;
  }

  /**
   * Borrows {@code bytes}; waits until they are available. Must not be called on network threads.
   *
   * @param deadlineNanos the clock's {@link Clock#nanoTime} at which to stop waiting
   * @return false, with nothing borrowed, if the deadline passes, if the loan exceeds {@link
   *     #largestLoan}, or if too many threads wait already
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
      return await(bytes, deadlineNanos, () -> false, Long.MAX_VALUE);
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
   * @param hurry ends the wait soon after it returns true
   */
  public boolean borrowInBackground(long bytes, long deadlineNanos, BooleanSupplier hurry) {
    return tryBorrow(bytes) || await(bytes, deadlineNanos, hurry, NAP_NANOS);
  }

  private boolean await(long bytes, long deadlineNanos, BooleanSupplier hurry, long napNanos) {
    Thread thread = Thread.currentThread();
    Waiter waiter = borrowLater(bytes, () -> clock.unpark(thread));
    boolean interrupted = false;
    try {
      while (!waiter.isGranted()) {
        long left = deadlineNanos - clock.nanoTime();
        if (left <= 0 || hurry.getAsBoolean()) {
          return !waiter.cancel();
        }
        clock.park(Math.min(left, napNanos));
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
   * Queues a loan. It is granted as soon as the bytes are available, possibly before this method
   * returns.
   *
   * @param bytes at most {@link #largestLoan}
   * @param granted runs when the loan is granted, on the calling thread or on a thread that gives
   *     bytes back; must be short and must not block
   * @return the place in the queue
   */
  public Waiter borrowLater(long bytes, Runnable granted) {
    if (bytes > largestLoan()) {
      throw new IllegalArgumentException(
          "Cannot borrow "
              + bytes
              + " bytes: the account lends at most "
              + largestLoan()
              + " at once, out of "
              + limitBytes
              + " bytes");
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

  /** Gives back a loan of {@link #tryBorrowStanding}. */
  public void giveBackStanding(long bytes) {
    standing.addAndGet(-bytes);
    giveBack(bytes);
  }

  /** Gives back {@code bytes}, which may be a part of one loan or the sum of several. */
  public void giveBack(long bytes) {
    if (bytes == 0) {
      return;
    }
    long now = borrowed.addAndGet(-bytes);
    if (now < 0) {
      throw new IllegalStateException("The account got back " + -now + " bytes more than it lent");
    }
    notice(now);
    if (waiting > 0) {
      grantWaiting();
    }
  }

  /** Returns the present state of the account. */
  public Snapshot snapshot() {
    return new Snapshot(limitBytes, Math.min(limitBytes, borrowed.get()), waiting, refused.get());
  }

  /**
   * The state of an account at one moment.
   *
   * @param limitBytes the most bytes that it lends
   * @param borrowedBytes the bytes that are lent
   * @param waiting how many loans wait
   * @param refused how many loans were not granted at once, since the account was created
   */
  public record Snapshot(long limitBytes, long borrowedBytes, int waiting, long refused) {}

  private boolean take(long bytes) {
    if (bytes > SMALL_BYTES) { // adding it and taking it off again could make small loans fail
      boolean taken = reserveNow(bytes);
      if (taken) {
        notice(borrowed.get());
      }
      return taken;
    }
    long now = borrowed.addAndGet(bytes);
    if (now > limitBytes) {
      borrowed.addAndGet(-bytes);
      if (waiting > 0) {
        grantWaiting(); // the addition above may have kept another thread from granting a loan
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
        if (first == null || !reserveNow(first.bytes)) {
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

  private boolean reserveNow(long bytes) {
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

  /** A queued loan. Thread-safe. */
  public final class Waiter {
    private final long bytes;
    private final Runnable told;
    private volatile boolean granted; // written under the lock of waiters

    private Waiter(long bytes, Runnable told) {
      this.bytes = bytes;
      this.told = told;
    }

    /** Tells whether the loan was granted. The caller must give a granted loan back. */
    public boolean isGranted() {
      return granted;
    }

    /**
     * Stops waiting.
     *
     * @return false if the loan is granted already; the caller must give it back
     */
    public boolean cancel() {
      synchronized (waiters) {
        if (granted) {
          return false;
        }
        waiters.remove(this);
        waiting = waiters.size();
      }
      grantWaiting(); // the next loan may be smaller
      return true;
    }
  }
}
