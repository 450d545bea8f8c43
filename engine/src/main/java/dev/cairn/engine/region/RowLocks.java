package dev.cairn.engine.region;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks on rows, with what has to be known of the writes before under each of them. Rows share a
 * fixed number of locks by their hash, so that locking allocates nothing per row; two rows that
 * share one merely wait for each other. Whoever locks several rows takes their locks in one order,
 * so that nobody waits in a circle.
 */
final class RowLocks {
  /** Made when they are first needed, and kept: a region without writes has none. */
  private final AtomicReferenceArray<Stripe> locks = new AtomicReferenceArray<>(RowStripes.COUNT);

  private final long waitMillis;
  private final long firstMillis;

  /**
   * Creates the locks.
   *
   * @param waitMillis whoever waits longer is refused
   * @param firstMillis the last time that writes before may have been given
   */
  RowLocks(long waitMillis, long firstMillis) {
    this.waitMillis = waitMillis;
    this.firstMillis = firstMillis;
  }

  /** The lock of some rows, and the state of {@link RowTimes} for them, which it guards. */
  static final class Stripe extends ReentrantLock {
    private static final long serialVersionUID = 1;

    private long lastMillis;
    private boolean marked = true; // who knows what writes before have left

    /** Whose batch had a time last. */
    private transient Held batch;

    private Stripe(long firstMillis) {
      this.lastMillis = firstMillis;
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

    /** Begins a batch, or goes on in it; tells which. */
    boolean begins(Held held) {
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
  final class Held implements AutoCloseable {
    private final int[] stripes;
    private int count;

    private Held(int[] stripes) {
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
      return locked(RowStripes.of(row));
    }

    /** Returns the lock of that stripe, which is held. */
    Stripe locked(int stripe) {
      return locks.get(stripe);
    }

    @Override
    public void close() {
      while (count > 0) {
        Stripe stripe = locks.get(stripes[--count]);
        stripe.end();
        stripe.unlock();
      }
    }
  }

  /** Locks the rows of all mutations. */
  Held lock(Collection<Mutation> mutations) throws RegionBusyException {
    int[] stripes = new int[mutations.size()];
    int n = 0;
    for (Mutation mutation : mutations) {
      stripes[n++] = RowStripes.of(mutation.row());
    }
    return acquire(distinct(stripes));
  }

  /** Locks the stripes of some rows; a stripe may be there more than once. */
  Held lock(int[] stripes) throws RegionBusyException {
    return acquire(distinct(stripes.clone()));
  }

  /** Locks a row, if nobody holds its lock. */
  Optional<Held> tryLock(byte[] row) {
    int stripe = RowStripes.of(row);
    if (!lockOf(stripe).tryLock()) {
      return Optional.empty();
    }
    Held held = new Held(new int[] {stripe});
    held.count = 1;
    return Optional.of(held);
  }

  /** Locks the rows of all conditions and mutations. */
  Held lock(List<Condition> conditions, List<Mutation> mutations) throws RegionBusyException {
    int[] stripes = new int[conditions.size() + mutations.size()];
    int n = 0;
    for (Condition condition : conditions) {
      stripes[n++] = RowStripes.of(condition.read().startRow());
    }
    for (Mutation mutation : mutations) {
      stripes[n++] = RowStripes.of(mutation.row());
    }
    return acquire(distinct(stripes));
  }

  private Held acquire(int[] stripes) throws RegionBusyException {
    Held held = new Held(stripes);
    boolean all = false;
    try {
      for (int stripe : stripes) {
        if (!lockOf(stripe).tryLock(waitMillis, TimeUnit.MILLISECONDS)) {
          throw new RegionBusyException(
              "Could not lock a row within "
                  + waitMillis
                  + " ms: other writes to it are still running");
        }
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
    Arrays.sort(stripes);
    int n = 1;
    for (int i = 1; i < stripes.length; i++) {
      if (stripes[i] != stripes[n - 1]) {
        stripes[n++] = stripes[i];
      }
    }
    return Arrays.copyOf(stripes, n);
  }
}
