package dev.cairn.torture.model;

import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.Mutation.Kind;
import dev.cairn.engine.region.RowStripes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The times that a server gives the changes of one call, whose clock has gone on so far since the
 * call before that nothing of that matters. Rows share times by stripes; each group of changes that
 * are applied under one number gets the next time of its stripes.
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
   * rows of a stripe, but that a put behind a delete of its row has a later one.
   */
  public Map<Change, Long> oneByOne(List<Change> group) {
    Map<Change, Long> times = new IdentityHashMap<>();
    Map<Integer, Set<String>> deleted = new HashMap<>();
    for (Change change : group) {
      int stripe = stripe(change);
      boolean first = !deleted.containsKey(stripe);
      Set<String> rows = deleted.computeIfAbsent(stripe, any -> new HashSet<>());
      boolean isPut = change.kind() != Kind.DELETE;
      if (first || isPut && (rows.contains(change.row()) || rows.size() > 1)) {
        last.put(stripe, next(stripe));
        rows.clear();
      }
      times.put(change, last.get(stripe));
      if (!isPut || change.cells().stream().anyMatch(part -> part.type() != CellType.PUT)) {
        rows.add(change.row());
      }
    }
    return times;
  }

  private long next(int stripe) {
    return last.containsKey(stripe) ? Math.max(now, last.get(stripe) + 1) : now;
  }

  private static int stripe(Change change) {
    return RowStripes.of(Text.bytes(change.row()));
  }
}
