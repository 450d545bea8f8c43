package dev.cairn.engine.region.write;

import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.RowLocks.Stripe;
import dev.cairn.engine.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Assigns timestamps to writes without one, so that two consecutive writes of one row do not share
 * one: a put is visible although the row was deleted in the same millisecond, and a delete hides
 * the puts of its millisecond. Each stripe of rows remembers its last timestamp; the next is the
 * clock's, or a millisecond after the last one if that is later.
 *
 * <p><b>Ahead of the clock.</b> A stripe that is written more than once per millisecond runs ahead
 * of the clock, but by no more than {@link #LEAD_MAX_MILLIS}. Beyond that, writes share the last
 * timestamp, where that does no harm: a put replaces an older put, and a delete hides it. Only a
 * put after a delete needs a new timestamp; it waits for a millisecond first, so that the lead does
 * not grow. The same holds when the clock was set back: written rows continue from their last
 * timestamps, and share them until the clock has caught up; all other rows follow the clock.
 *
 * <p><b>After an opening</b> the stripes begin at the highest timestamp of the region's cells, but
 * no more than {@link #LEAD_MAX_MILLIS} ahead of the clock: no server that follows these rules has
 * assigned later ones, and timestamps that clients set themselves, perhaps years ahead, do not
 * matter. So no state is stored in addition to the data. If the clock was set back by more while
 * the region was closed, an older delete may hide a put until the clock has passed it, as in HBase.
 *
 * <p><b>Together or in a batch.</b> Mutations that are applied atomically have one timestamp. Those
 * of a batch share one timestamp per stripe, as in HBase, so a delete hides a put of the same row
 * at any position in the batch. The API does not define an order within a batch: clients reorder it
 * before they send it, and some rely on the delete.
 *
 * <p>All methods are called by the thread that holds the locks of the rows, which guard the
 * stripes' state. Nothing is allocated. If the write would have to wait for a time, and its budget
 * does not allow that, a {@link WouldWaitException} ends it.
 */
public final class TimestampAllocator {
  /** The maximum lead of a timestamp over the clock. */
  static final long LEAD_MAX_MILLIS = 1_000;

  private final Clock clock;

  public TimestampAllocator(Clock clock) {
    this.clock = clock;
  }

  /**
   * Returns the time at which a region's stripes begin, given the highest timestamp of its cells.
   */
  public static long floor(long newestTimestamp, Clock clock) {
    return Math.min(newestTimestamp, clock.currentTimeMillis() + LEAD_MAX_MILLIS);
  }

  /** Returns one time for mutations that are applied together, whose rows are locked. */
  public long together(RowLocks.Held held, List<Mutation> mutations, WriteBudget budget) {
    boolean puts = false;
    boolean deletes = false;
    for (Mutation mutation : mutations) {
      puts |= puts(mutation);
      deletes |= deletes(mutation);
    }
    long time = Long.MIN_VALUE;
    for (int i = 0; i < held.count(); i++) {
      time = Math.max(time, next(held.stripe(i), puts, budget));
    }
    for (int i = 0; i < held.count(); i++) {
      held.stripe(i).gave(time, deletes);
    }
    return time;
  }

  /** Returns the time of a mutation alone, whose row is locked. */
  public long alone(RowLocks.Held held, Mutation mutation, WriteBudget budget) {
    Stripe stripe = held.stripeOfAsked(0);
    long time = next(stripe, puts(mutation), budget);
    stripe.gave(time, deletes(mutation));
    return time;
  }

  /**
   * Returns the time of the next mutation of a batch, whose rows are all locked. To be asked for
   * each of them.
   */
  public long oneOfMany(RowLocks.Held held, Mutation mutation, WriteBudget budget) {
    return oneOfMany(held, held.stripeOf(mutation.row()), deletes(mutation), budget);
  }

  /**
   * Returns the time of the next put of a batch without delete markers, whose rows are all locked.
   *
   * @param put the put's index in the batch
   */
  public long onePutOfMany(RowLocks.Held held, int put, WriteBudget budget) {
    return oneOfMany(held, held.stripeOfAsked(put), false, budget);
  }

  /**
   * Returns a timestamp for one mutation of a batch. Treats the first mutation as a put, because
   * puts may follow.
   */
  private long oneOfMany(RowLocks.Held held, Stripe stripe, boolean deletes, WriteBudget budget) {
    long time = stripe.beginBatch(held) ? next(stripe, true, budget) : stripe.lastMillis();
    stripe.gave(time, deletes);
    return time;
  }

  private long next(Stripe stripe, boolean puts, WriteBudget budget) {
    long now = clock.currentTimeMillis();
    if (waits(stripe, puts, now)) {
      if (!budget.mayWait()) {
        throw WouldWaitException.INSTANCE;
      }
      clock.park(TimeUnit.MILLISECONDS.toNanos(1));
      return stripe.lastMillis() + 1;
    }
    return next(stripe, now);
  }

  private static boolean waits(Stripe stripe, boolean puts, long now) {
    long last = stripe.lastMillis();
    return now <= last && last - now >= LEAD_MAX_MILLIS && stripe.isMarked() && puts;
  }

  /** Returns the next time of a write that need not wait for it. */
  private static long next(Stripe stripe, long now) {
    long last = stripe.lastMillis();
    if (now > last) {
      return now;
    }
    return last - now < LEAD_MAX_MILLIS ? last + 1 : last;
  }

  private static boolean puts(Mutation mutation) {
    return mutation.kind() != Kind.DELETE;
  }

  private static boolean deletes(Mutation mutation) {
    return mutation.kind() == Kind.DELETE
        || mutation.kind() == Kind.PUT && mutation.cells().hasMarkers();
  }
}
