package dev.cairn.engine.changes;

import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
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
      new PriorityQueue<>(Comparator.comparingLong(Run::time).thenComparing(Run::region));
  private final List<Run> waiting = new ArrayList<>();

  /** The changes of a region, and how many regions it waits for. */
  private static final class Run {
    private final RegionStream stream;
    private final RegionStream.Place first;
    private final RegionStream.Place last;
    private final boolean isNew;
    private final List<Run> followers = new ArrayList<>();
    private int predecessors;

    Run(RegionStream stream, RegionStream.Place last, boolean isNew) {
      this.stream = stream;
      this.first = stream.next();
      this.last = last;
      this.isNew = isNew;
    }

    long time() {
      return stream.next().writeTimeMillis();
    }

    String region() {
      return stream.region();
    }

    boolean mayReplace(Run other) {
      return isNew
          && this != other
          && stream.table().equals(other.stream.table())
          && other.last.sequence() < first.sequence()
          && other.last.writeTimeMillis() <= first.writeTimeMillis() + SKEW_MAX_MILLIS;
    }
  }

  /**
   * Adds the changes of a region, before the first call of {@link #begin}.
   *
   * @param stream has at least one change
   * @param last the last one that belongs to the round
   * @param isNew whether there was no change of the region before the round
   */
  void add(RegionStream stream, RegionStream.Place last, boolean isNew) {
    stream.begin(last.sequence());
    waiting.add(new Run(stream, last, isNew));
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
  Optional<WalEntry> next() throws IOException {
    Run run = ready.poll();
    if (run == null) {
      return Optional.empty();
    }
    WalEntry change = run.stream.take();
    if (run.stream.hasNext()) {
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
