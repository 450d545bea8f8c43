package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.PhaseTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Locks single rows for several steps, such as a read and a write, or a call to another server. A
 * thread owns its locks; it may take them again, and may write to their rows in any way. All other
 * writes to these rows wait, including writes in one call. Thread-safe.
 *
 * <p><b>Stripes.</b> The stripes of {@link RowLocks} do not suffice: a thread that holds a row
 * would block itself at another row of the stripe. A thread takes a lock here while it holds the
 * row's stripe, and then releases the stripe. A write in one call holds its stripes from the time
 * it checks these locks until it is staged. So either it is staged before the row is locked, or it
 * sees the lock, releases its stripes and waits here. A thread that holds a stripe never waits
 * here, so stripes cannot cause a deadlock.
 *
 * <p><b>Earlier writes are visible.</b> {@link #lock} returns once reads see all earlier writes to
 * the rows. So a read under the lock sees the newest state.
 *
 * <p><b>Deadlocks.</b> One call takes its rows in ascending order. If two threads each hold a row
 * and wait for the row of the other, they fail after the maximum wait for a row. A thread that
 * waits for a lock must have joined the writes that it has begun ({@link PendingWrite#join}): the
 * holder may wait for them to become visible.
 */
public final class ExplicitRowLocks {
  /** The mode of a lock. */
  public enum Mode {
    /** Other threads may hold the row in the same mode; only holders write to it. */
    SHARED,
    /** No other thread holds the row or writes to it. */
    EXCLUSIVE
  }

  private final RowLocks stripes;
  private final MutationCheck check;
  private final Mvcc mvcc;
  private final Clock clock;
  private final long waitMillis;

  /** The holders of each locked row. */
  private final ConcurrentMap<ByteBuffer, Holder> locked = new ConcurrentHashMap<>();

  /**
   * An upper bound of the number of locked rows: incremented before a row is locked, decremented
   * after it is released. The size of the map is not exact while it changes.
   */
  private final AtomicInteger lockedRows = new AtomicInteger();

  private final Deque<Waiter> waiting = new ConcurrentLinkedDeque<>();

  /** For each stripe, an upper bound of the sequence numbers of its staged writes. */
  private final AtomicLongArray staged = new AtomicLongArray(RowStripes.COUNT);

  /**
   * Creates the locks of a region.
   *
   * @param waitMillis maximum wait of one call, which then fails
   */
  public ExplicitRowLocks(
      RowLocks stripes, MutationCheck check, Mvcc mvcc, Clock clock, long waitMillis) {
    this.stripes = stripes;
    this.check = check;
    this.mvcc = mvcc;
    this.clock = clock;
    this.waitMillis = waitMillis;
  }

  /** A thread that waits for a row. */
  private record Waiter(Thread thread, ByteBuffer row) {}

  /**
   * A thread that holds a row, and the other holders of that row. Immutable.
   *
   * @param shared how often it holds the row in shared mode
   * @param exclusive how often it holds the row in exclusive mode
   * @param next the next holder; null for the last
   */
  private record Holder(Thread thread, int shared, int exclusive, Holder next) {
    /** Returns the entry of a thread; null if it does not hold the row. */
    static Holder find(Holder first, Thread thread) {
      Holder holder = first;
      while (holder != null && holder.thread != thread) {
        holder = holder.next;
      }
      return holder;
    }

    /** Tells whether a thread may join the present holders. */
    static boolean admit(Holder first, Thread thread, Mode mode) {
      for (Holder holder = first; holder != null; holder = holder.next) {
        if (holder.thread != thread && (mode == Mode.EXCLUSIVE || holder.exclusive > 0)) {
          return false;
        }
      }
      return true;
    }

    /** Returns the holders after a thread has taken ({@code by} 1) or released (-1) the row. */
    static Holder changed(Holder first, Thread thread, Mode mode, int by) {
      if (first == null || first.thread != thread) {
        return first == null
            ? new Holder(thread, 0, 0, null).counted(mode, by)
            : new Holder(
                first.thread, first.shared, first.exclusive, changed(first.next, thread, mode, by));
      }
      return first.counted(mode, by);
    }

    private Holder counted(Mode mode, int by) {
      int left = shared + (mode == Mode.SHARED ? by : 0);
      int leftExclusive = exclusive + (mode == Mode.EXCLUSIVE ? by : 0);
      return left + leftExclusive == 0 ? next : new Holder(thread, left, leftExclusive, next);
    }
  }

  /**
   * Locks that one call has taken. Closing releases them, on any thread; closing again has no
   * effect.
   */
  public final class Held implements AutoCloseable {
    private final Thread thread = Thread.currentThread();
    private final Mode mode;
    private final List<ByteBuffer> rows;
    private final long deadlineNanos;
    private long earlier; // the highest number of earlier writes, about

    private Held(Mode mode, int count, long deadlineNanos) {
      this.mode = mode;
      this.deadlineNanos = deadlineNanos;
      this.rows = new ArrayList<>(count);
    }

    @Override
    public void close() {
      for (ByteBuffer row : rows) {
        release(row, thread, mode);
      }
      rows.clear();
    }
  }

  /**
   * Locks one row for the calling thread.
   *
   * @throws IOException as {@link #lockAll}
   */
  public Held lock(byte[] row, Mode mode) throws IOException {
    return lockAll(List.of(row), mode);
  }

  /**
   * Locks rows for the calling thread, and waits until reads see all earlier writes to them. Does
   * not wait for rows that the thread already holds. A thread that holds a row in shared mode gets
   * it in exclusive mode once all other holders have released it.
   *
   * @param rows in any order, perhaps with repetitions; must not change while they are locked
   * @throws dev.cairn.engine.region.state.WrongRowException if a row belongs to another region
   * @throws RegionBusyException if the locks are not free in time, or if the outcome of an earlier
   *     write is unknown
   * @throws IOException if the region has failed
   */
  public Held lockAll(Collection<byte[]> rows, Mode mode) throws IOException {
    SortedSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    for (byte[] row : rows) {
      check.row(row);
      sorted.add(row);
    }
    long deadline = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    Held held = take(sorted, mode, deadline);
    boolean current = false;
    try {
      awaitVisible(held.earlier, deadline);
      current = true;
      return held;
    } finally {
      if (!current) {
        held.close();
      }
    }
  }

  /** Tells whether the calling thread holds a row in exclusive mode. */
  public boolean isHeldExclusively(byte[] row) {
    Holder own = Holder.find(locked.get(ByteBuffer.wrap(row)), Thread.currentThread());
    return own != null && own.exclusive > 0;
  }

  /**
   * Tells whether the calling thread may write to all rows of a request: each is unlocked, or the
   * thread is one of its holders. The answer stays true while the caller holds the stripes of the
   * rows.
   */
  public boolean admits(WriteRequest request) {
    if (lockedRows.get() == 0) {
      return true;
    }
    for (WriteRequest.Condition condition : request.conditions()) {
      if (excludes(condition.read().startRow())) {
        return false;
      }
    }
    for (int i = 0; i < request.mutationCount(); i++) {
      if (excludes(request.row(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isHeld(byte[] row) {
    return Holder.find(locked.get(ByteBuffer.wrap(row)), Thread.currentThread()) != null;
  }

  private boolean excludes(byte[] row) {
    Holder holders = locked.get(ByteBuffer.wrap(row));
    return holders != null && Holder.find(holders, Thread.currentThread()) == null;
  }

  /** The remaining time that one call may wait for rows, over all its waits. One thread. */
  public final class Patience {
    private long leftNanos = TimeUnit.MILLISECONDS.toNanos(waitMillis);
  }

  /** Returns the time that a call may wait for rows. */
  public Patience patience() {
    return new Patience();
  }

  /**
   * Locks the rows of a write in one call that has found one of them locked, except the rows that
   * the thread holds: it may write to them together with other holders.
   *
   * @throws RegionBusyException if they are not free before the call's remaining time ends
   */
  public Held lockFor(WriteRequest request, Patience patience) throws RegionBusyException {
    SortedSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    for (WriteRequest.Condition condition : request.conditions()) {
      sorted.add(condition.read().startRow());
    }
    for (int i = 0; i < request.mutationCount(); i++) {
      sorted.add(request.row(i));
    }
    sorted.removeIf(this::isHeld);
    long begun = clock.nanoTime();
    try {
      return take(sorted, Mode.EXCLUSIVE, begun + patience.leftNanos);
    } finally {
      patience.leftNanos = Math.max(0, patience.leftNanos - (clock.nanoTime() - begun));
    }
  }

  /** Records that a write is staged. The caller holds its stripes. */
  public void staged(int[] ofStripes) {
    long number = mvcc.lastBegun();
    for (int stripe : ofStripes) {
      staged.accumulateAndGet(stripe, number, Math::max);
    }
  }

  /** Records that cells are staged. The caller holds the locks of their rows. */
  public void staged(CellBuffer cells) {
    long number = mvcc.lastBegun();
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, 0);
      int stripe = RowStripes.of(cell.bytes(), cell.rowOffset(), cell.rowLength());
      staged.accumulateAndGet(stripe, number, Math::max);
    }
  }

  private Held take(SortedSet<byte[]> rows, Mode mode, long deadlineNanos)
      throws RegionBusyException {
    Held held = new Held(mode, rows.size(), deadlineNanos);
    boolean all = false;
    try {
      for (byte[] bytes : rows) {
        ByteBuffer row = ByteBuffer.wrap(bytes);
        if (!tryTake(held, row) && !await(held, row)) {
          throw new RegionBusyException(
              "Could not lock a row within "
                  + waitMillis
                  + " ms: other threads have locked it for a write in several steps");
        }
        held.rows.add(row);
      }
      all = true;
      return held;
    } finally {
      if (!all) {
        held.close();
      }
    }
  }

  private boolean await(Held held, ByteBuffer row) throws RegionBusyException {
    Waiter waiter = new Waiter(held.thread, row);
    if (Holder.find(locked.get(row), held.thread) != null) {
      waiting.addFirst(waiter); // the other waiters wait for this thread, a holder
    } else {
      waiting.addLast(waiter);
    }
    boolean taken = false;
    try (PhaseTimes.Wait wait = PhaseTimes.begin(PhaseTimes.Phase.LOCK, clock)) {
      taken = tryTake(held, row);
      long left = held.deadlineNanos - clock.nanoTime();
      while (!taken && left > 0) {
        clock.park(left);
        if (Thread.interrupted()) {
          Thread.currentThread().interrupt();
          throw new RegionBusyException("Interrupted while waiting for a row");
        }
        taken = tryTake(held, row);
        left = held.deadlineNanos - clock.nanoTime();
      }
      return taken;
    } finally {
      waiting.remove(waiter);
      if (!taken || held.mode == Mode.SHARED) {
        wakeFirst(row); // this thread may have consumed a wake-up that others can use
      }
    }
  }

  private boolean tryTake(Held held, ByteBuffer row) throws RegionBusyException {
    Holder holders = locked.get(row);
    Holder own = Holder.find(holders, held.thread);
    if (!Holder.admit(holders, held.thread, held.mode)) {
      return false;
    }
    int stripe = RowStripes.of(row.array());
    if (own != null && tryEnterAgain(row, holders, held)) {
      if (own.exclusive == 0) { // other holders may have written, and recorded it before releasing
        held.earlier = Math.max(held.earlier, staged.get(stripe));
      }
      return true;
    }
    try (RowLocks.Held guard = stripes.lockUntil(stripe, held.deadlineNanos)) {
      boolean entered = tryEnter(row, held.thread, held.mode);
      if (entered) {
        held.earlier = Math.max(held.earlier, staged.get(stripe));
      }
      return entered;
    }
  }

  /** Takes the lock without the stripe, because only holders write to the row. */
  private boolean tryEnterAgain(ByteBuffer row, Holder holders, Held held) {
    return locked.replace(row, holders, Holder.changed(holders, held.thread, held.mode, 1));
  }

  private boolean tryEnter(ByteBuffer row, Thread thread, Mode mode) {
    while (true) {
      Holder before = locked.get(row);
      if (!Holder.admit(before, thread, mode)) {
        return false;
      }
      Holder after = Holder.changed(before, thread, mode, 1);
      if (before == null ? enterFirst(row, after) : locked.replace(row, before, after)) {
        return true;
      }
    }
  }

  private boolean enterFirst(ByteBuffer row, Holder holder) {
    lockedRows.incrementAndGet();
    boolean first = locked.putIfAbsent(row, holder) == null;
    if (!first) {
      lockedRows.decrementAndGet();
    }
    return first;
  }

  private void release(ByteBuffer row, Thread thread, Mode mode) {
    boolean released = false;
    while (!released) {
      Holder before = locked.get(row);
      Holder after = Holder.changed(before, thread, mode, -1);
      released = after == null ? locked.remove(row, before) : locked.replace(row, before, after);
      if (released && after == null) {
        lockedRows.decrementAndGet();
      }
    }
    wakeFirst(row);
  }

  private void wakeFirst(ByteBuffer row) {
    for (Waiter waiter : waiting) {
      if (waiter.row.equals(row)) {
        clock.unpark(waiter.thread);
        return;
      }
    }
  }

  /** Waits until reads see all writes up to a sequence number. */
  private void awaitVisible(long number, long deadlineNanos) throws IOException {
    if (mvcc.readPoint() >= number) {
      return;
    }
    CompletableFuture<Void> visible = mvcc.awaited(number);
    try (PhaseTimes.Wait wait = PhaseTimes.begin(PhaseTimes.Phase.LOCK, clock)) {
      if (!clock.await(visible, deadlineNanos - clock.nanoTime())) {
        throw new RegionBusyException(
            "Could not lock a row within " + waitMillis + " ms: earlier writes are still running");
      }
      visible.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RegionBusyException("Interrupted while waiting for a row");
    } catch (CompletionException e) {
      if (e.getCause() instanceof Mvcc.PostponedException) {
        throw new RegionBusyException(
            "Cannot lock a row now, because the outcome of an earlier write is unknown: "
                + e.getCause().getMessage());
      }
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw e;
    }
  }
}
