package dev.cairn.engine.changes;

import dev.cairn.engine.changes.HeldChanges.Held;
import dev.cairn.engine.schema.TableName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Orders the changes of several regions: those of a region by their number, and across regions by
 * time, except that the daughters of a split and the result of a merge come after the regions that
 * they replace, even if the clocks of their servers differ. The log does not name these relations.
 * But the numbers of a region begin above those of the regions that it replaces, so a region that
 * is new in the stream waits for all regions of its table that ended below its first number. One
 * thread.
 */
final class RoundMerge {
  /** Clocks of servers differ by less; HBase refuses servers whose clock differs by more. */
  private static final long SKEW_MAX_MILLIS = Duration.ofSeconds(30).toMillis();

  private final PriorityQueue<Run> ready =
      new PriorityQueue<>(Comparator.comparingLong(Run::time).thenComparing(run -> run.region));
  private final List<Run> waiting = new ArrayList<>();

  /** The changes of a region, and how many regions it waits for. */
  private static final class Run {
    private final String region;
    private final TableName table;
    private final List<Held> changes;
    private final boolean isNew;
    private final List<Run> followers = new ArrayList<>();
    private int predecessors;
    private int next;

    Run(String region, List<Held> changes, boolean isNew) {
      this.region = region;
      this.table = changes.get(0).entry().table();
      this.changes = changes;
      this.isNew = isNew;
    }

    long time() {
      return changes.get(next).writeTimeMillis();
    }

    Held first() {
      return changes.get(0);
    }

    Held last() {
      return changes.get(changes.size() - 1);
    }

    boolean mayReplace(Run other) {
      return isNew
          && this != other
          && table.equals(other.table)
          && other.last().sequence() < first().sequence()
          && other.last().writeTimeMillis() <= first().writeTimeMillis() + SKEW_MAX_MILLIS;
    }
  }

  /**
   * Adds the changes of a region, before the first call of {@link #begin}.
   *
   * @param changes in order, at least one
   * @param isNew whether the stream had no change of the region before
   */
  void add(String region, List<Held> changes, boolean isNew) {
    waiting.add(new Run(region, changes, isNew));
  }

  /** Ends the additions. */
  void begin() {
    for (Run run : waiting) {
      for (Run other : waiting) {
        if (run.mayReplace(other)) {
          other.followers.add(run);
          run.predecessors++;
        }
      }
    }
    // A run waits only for runs that end at lower numbers than it begins, so some run is ready.
    waiting.stream().filter(run -> run.predecessors == 0).forEach(ready::add);
    waiting.clear();
  }

  /** Removes and returns the next change; empty after the last one. */
  Optional<Held> next() {
    Run run = ready.poll();
    if (run == null) {
      return Optional.empty();
    }
    Held change = run.changes.get(run.next++);
    if (run.next < run.changes.size()) {
      ready.add(run);
    } else {
      for (Run follower : run.followers) {
        if (--follower.predecessors == 0) {
          ready.add(follower);
        }
      }
    }
    return Optional.of(change);
  }
}
