package dev.cairn.engine.region.write;

import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.PhaseTimes;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Locks on rows, each with the state of the earlier writes under it. Rows share a fixed number of
 * locks by their hash, so that locking allocates nothing per row; two rows that share one merely
 * wait for each other. A write that locks several rows takes their locks in one order, so there is
 * no deadlock. If the write's budget does not allow waiting, a lock that is not free ends the write
 * with a {@link WouldWaitException}.
 */
public final class RowLocks {
  /** Made when they are first needed, and kept: a region without writes has none. */
  private final AtomicReferenceArray<Stripe> locks = new AtomicReferenceArray<>(RowStripes.COUNT);

  private final long waitMillis;
  private final long firstMillis;
  private final Clock clock;

  /**
   * Creates the locks.
   *
   * @param waitMillis maximum wait; a longer one fails
   * @param firstMillis the last time that writes before may have been given
   * @param clock parks waiting threads
   */
  public RowLocks(long waitMillis, long firstMillis, Clock clock) {
    this.clock = clock;
    this.waitMillis = waitMillis;
    this.firstMillis = firstMillis;
  }

  /**
   * The lock of some rows, and the state of {@link TimestampAllocator} for them, which it guards.
   * Wakes the longest waiter first, but another thread may overtake it.
   */
  static final class Stripe extends AtomicBoolean {
    private static final long serialVersionUID = 1;

    private transient volatile Queue<Thread> waiting; // null until a thread waits

    private long lastMillis;
    private boolean marked = true; // the timestamps of earlier writes are unknown

    /** The two fields above, as they were when the lock was taken. */
    private long millisBefore;

    private boolean markedBefore;

    /** The batch that got the last timestamp. */
    private transient Held batch;

    private Stripe(long firstMillis) {
      this.lastMillis = firstMillis;
    }

    private boolean tryLock() {
      return !get() && compareAndSet(false, true);
    }

    private boolean lockUntil(long deadlineNanos, Clock clock) throws InterruptedException {
      Queue<Thread> queue = waiting();
      Thread thread = Thread.currentThread();
      queue.add(thread);
      boolean locked = false;
      try {
        locked = tryLock();
        long left = deadlineNanos - clock.nanoTime();
        while (!locked && left > 0) {
          clock.park(left);
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          locked = tryLock();
          left = deadlineNanos - clock.nanoTime();
        }
        return locked;
      } finally {
        queue.remove(thread);
        if (!locked) {
          wakeFirst(clock); // this thread may have consumed a wake-up
        }
      }
    }

    private synchronized Queue<Thread> waiting() {
      if (waiting == null) {
        waiting = new ConcurrentLinkedQueue<>();
      }
      return waiting;
    }

    private void unlock(Clock clock) {
      set(false);
      wakeFirst(clock);
    }

    private void wakeFirst(Clock clock) {
      Queue<Thread> queue = waiting;
      if (queue != null) {
        clock.unpark(queue.peek());
      }
    }

    private void begin() {
      millisBefore = lastMillis;
      markedBefore = marked;
    }

    private void takeBack() {
      lastMillis = millisBefore;
      marked = markedBefore;
    }

    /** Returns the last time that was given. */
    long lastMillis() {
      return lastMillis;
    }

    /** Tells whether a delete may have had it. */
    boolean isMarked() {
      return marked;
    }

    /** Takes note of a time that a write is given, at least the last one. */
    void gave(long time, boolean deletes) {
      marked = deletes || marked && time == lastMillis;
      lastMillis = time;
    }

    /** Begins a batch, or continues it; returns which. */
    boolean beginBatch(Held held) {
      if (batch == held) {
        return false;
      }
      batch = held;
      return true;
    }

    private void end() {
      batch = null;
    }
  }

  /** Locks that are held; closing lets go. Belongs to the thread that took them. */
  public final class Held implements AutoCloseable {
    private final int[] asked;
    private final int[] stripes;
    private int count;

    private Held(int[] asked, int[] stripes) {
      this.asked = asked;
      this.stripes = stripes;
    }

    /** Returns how many locks there are. */
    int count() {
      return count;
    }

    /** Returns one of the locks. */
    Stripe stripe(int i) {
      return locks.get(stripes[i]);
    }

    /** Returns the lock of a row, which is held. */
    Stripe stripeOf(byte[] row) {
      return locks.get(RowStripes.of(row));
    }

    /** Returns the lock of the row that was asked for at {@code i}. */
    Stripe stripeOfAsked(int i) {
      return locks.get(asked[i]);
    }

    /** Restores the times from before the locks were taken, because the write did not begin. */
    public void takeBackTimes() {
      for (int i = 0; i < count; i++) {
        stripe(i).takeBack();
      }
    }

    @Override
    public void close() {
      while (count > 0) {
        Stripe stripe = locks.get(stripes[--count]);
        stripe.end();
        stripe.unlock(clock);
      }
    }
  }

  /**
   * Locks the stripes of some rows.
   *
   * @param asked the stripes, perhaps with repetitions; must not change while the locks are held
   * @throws WouldWaitException if a lock is not free and the budget does not allow waiting
   */
  public Held lock(int[] asked, WriteBudget budget) throws RegionBusyException {
    return lock(asked, budget, waitMillis);
  }

  /** As {@link #lock(int[], WriteBudget)}, for one stripe, which is waited for until a deadline. */
  Held lockUntil(int stripe, long deadlineNanos) throws RegionBusyException {
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - clock.nanoTime());
    return lock(
        new int[] {stripe}, WriteBudget.UNLIMITED, Math.max(0, Math.min(waitMillis, leftMillis)));
  }

  private Held lock(int[] asked, WriteBudget budget, long maxMillis) throws RegionBusyException {
    Held held = new Held(asked, distinct(asked));
    boolean all = false;
    try {
      for (int stripe : held.stripes) {
        Stripe lock = lockOf(stripe);
        if (!lock.tryLock() && !await(lock, budget, maxMillis)) {
          throw new RegionBusyException(
              "Could not lock a row within "
                  + maxMillis
                  + " ms: other writes to it are still running");
        }
        lock.begin();
        held.count++;
      }
      all = true;
      return held;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RegionBusyException("Interrupted while waiting for a row");
    } finally {
      if (!all) {
        held.close();
      }
    }
  }

  private boolean await(Stripe lock, WriteBudget budget, long maxMillis)
      throws InterruptedException {
    if (!budget.mayWait()) {
      throw WouldWaitException.INSTANCE;
    }
    try (PhaseTimes.Wait wait = PhaseTimes.begin(PhaseTimes.Phase.LOCK, clock)) {
      return lock.lockUntil(clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(maxMillis), clock);
    }
  }

  private Stripe lockOf(int stripe) {
    Stripe lock = locks.get(stripe);
    if (lock == null) {
      locks.compareAndSet(stripe, null, new Stripe(firstMillis));
      lock = locks.get(stripe);
    }
    return lock;
  }

  private static int[] distinct(int[] stripes) {
    if (stripes.length < 2) {
      return stripes;
    }
    int[] sorted = stripes.clone();
    Arrays.sort(sorted);
    int n = 1;
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] != sorted[n - 1]) {
        sorted[n++] = sorted[i];
      }
    }
    return n == sorted.length ? sorted : Arrays.copyOf(sorted, n);
  }
}
