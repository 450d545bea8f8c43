package dev.cairn.server.master.ddl;

import dev.cairn.engine.time.Clock;

/**
 * Gives ids to new regions: the time, in milliseconds since 1970, or a higher number. A region's
 * name has its table, start key and id. A new region must not have the name of a deleted one: after
 * a crash, the changes of the deleted region, which may still be in a log, would be the new one's.
 * Thread-safe.
 */
public final class RegionIds {
  private final Clock clock;

  /** Guarded by this. */
  private long last;

  /**
   * Creates the ids of a master.
   *
   * @param epoch the master's epoch, which is above the epochs of all masters before it
   */
  public RegionIds(Clock clock, long epoch) {
    this.clock = clock;
    this.last = epoch;
  }

  /** Returns an id that is above {@code known} and above all that this master gave out before. */
  public long next(long known) {
    return next(known, 0);
  }

  /** As {@link #next(long)}; the {@code further} ids after the result are given out, too. */
  public synchronized long next(long known, long further) {
    long next = Math.max(clock.currentTimeMillis(), Math.max(known, last) + 1);
    last = next + further;
    return next;
  }
}
