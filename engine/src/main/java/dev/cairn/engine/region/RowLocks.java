package dev.cairn.engine.region;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks on rows. Rows share a fixed number of locks by their hash, so that locking allocates
 * nothing per row; two rows that share one merely wait for each other. Whoever locks several rows
 * takes their locks in one order, so that nobody waits in a circle.
 */
final class RowLocks {
  private static final int STRIPES = 1024;

  /** Made when they are first needed, and kept: a region without writes has none. */
  private final AtomicReferenceArray<ReentrantLock> locks = new AtomicReferenceArray<>(STRIPES);

  private final long waitMillis;

  /** Creates the locks; whoever waits longer than {@code waitMillis} is refused. */
  RowLocks(long waitMillis) {
    this.waitMillis = waitMillis;
  }

  /** Locks that are held; closing lets go. Belongs to the thread that took them. */
  final class Held implements AutoCloseable {
    private final int[] stripes;
    private int count;

    private Held(int[] stripes) {
      this.stripes = stripes;
    }

    @Override
    public void close() {
      while (count > 0) {
        locks.get(stripes[--count]).unlock();
      }
    }
  }

  /** Locks the rows of all mutations. */
  Held lock(Collection<Mutation> mutations) throws RegionBusyException {
    int[] stripes = new int[mutations.size()];
    int n = 0;
    for (Mutation mutation : mutations) {
      stripes[n++] = stripe(mutation.row());
    }
    return acquire(distinct(stripes));
  }

  /** Locks the rows of all conditions and mutations. */
  Held lock(List<Condition> conditions, List<Mutation> mutations) throws RegionBusyException {
    int[] stripes = new int[conditions.size() + mutations.size()];
    int n = 0;
    for (Condition condition : conditions) {
      stripes[n++] = stripe(condition.read().startRow());
    }
    for (Mutation mutation : mutations) {
      stripes[n++] = stripe(mutation.row());
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

  private ReentrantLock lockOf(int stripe) {
    ReentrantLock lock = locks.get(stripe);
    if (lock == null) {
      locks.compareAndSet(stripe, null, new ReentrantLock());
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

  private static int stripe(byte[] row) {
    int hash = Arrays.hashCode(row) * 0x9E3779B9;
    return hash >>> 22;
  }
}
