package dev.cairn.torture.model;

import dev.cairn.engine.region.write.RowStripes;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The timestamps that a server assigns to the changes of one call, if its clock has advanced so far
 * since the previous call that earlier timestamps do not matter. Rows share timestamps by stripes;
 * each group of changes that are applied under one number gets the next timestamp of its stripes.
 */
public final class BatchTimes {
  private final long now;
  private final Map<Integer, Long> last = new HashMap<>();

  /** Begins a call at {@code now}. */
  public BatchTimes(long now) {
    this.now = now;
  }

  /** Returns the time of each change of a group that is applied all or nothing: one for all. */
  public Map<Change, Long> together(List<Change> group) {
    long time = group.stream().mapToLong(change -> next(stripe(change))).max().orElse(now);
    Map<Change, Long> times = new IdentityHashMap<>();
    for (Change change : group) {
      last.put(stripe(change), time);
      times.put(change, time);
    }
    return times;
  }

  /**
   * Returns the time of each change of a group that shares a number and nothing else: one for all
   * rows of a stripe.
   */
  public Map<Change, Long> oneByOne(List<Change> group) {
    Map<Change, Long> times = new IdentityHashMap<>();
    Map<Integer, Long> given = new HashMap<>();
    for (Change change : group) {
      times.put(change, given.computeIfAbsent(stripe(change), this::next));
    }
    last.putAll(given);
    return times;
  }

  private long next(int stripe) {
    return last.containsKey(stripe) ? Math.max(now, last.get(stripe) + 1) : now;
  }

  private static int stripe(Change change) {
    return RowStripes.of(Text.bytes(change.row()));
  }
}
