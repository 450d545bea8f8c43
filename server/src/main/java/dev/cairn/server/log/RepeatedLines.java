package dev.cairn.server.log;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts lines that repeat within a minute. Thread-safe. {@code now} is a {@link System#nanoTime},
 * so setting the clock neither delays nor hastens a count.
 *
 * <p>A line is new if none with its key came in the last minute. The repetitions of a minute are
 * returned once, after its end. The count goes on as long as each minute has some.
 */
final class RepeatedLines {
  /** The time for which repetitions are counted before they are reported. */
  static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The most lines that are counted. Each line beyond that is new each time. */
  static final int LINES_MAX = 1_000;

  /**
   * The repetitions of a line.
   *
   * @param latest the last repetition
   * @param times the number of repetitions; the first line is not one
   * @param since the time of the first line
   */
  record Repetition(ConciseLine latest, long times, Instant since) {}

  private static final class Count {
    final Instant since;
    long endNanos;
    long times;
    boolean untold;
    ConciseLine latest;

    Count(ConciseLine first, long now) {
      latest = first;
      since = first.event().getInstant();
      endNanos = now + MINUTE_NANOS;
    }

    boolean isOver(long now) {
      return now - endNanos >= 0;
    }
  }

  private final Map<String, Count> counts = new HashMap<>(); // guarded by this

  /** Takes a line. Returns true if it is new, false if it is counted as a repetition. */
  synchronized boolean isNew(ConciseLine line, long now) {
    Count count = counts.get(line.key());
    if (count == null || !count.untold && count.isOver(now)) {
      if (count != null || counts.size() < LINES_MAX) {
        counts.put(line.key(), new Count(line, now));
      }
      return true;
    }
    count.times++;
    count.untold = true;
    count.latest = line;
    return false;
  }

  /** Takes the repetitions whose minute is over, and forgets lines that have not repeated. */
  synchronized List<Repetition> takeDue(long now) {
    List<Repetition> due = new ArrayList<>();
    for (Iterator<Count> all = counts.values().iterator(); all.hasNext(); ) {
      Count count = all.next();
      if (count.isOver(now)) {
        if (count.untold) {
          due.add(take(count, now));
        } else {
          all.remove();
        }
      }
    }
    return due;
  }

  /** Takes all repetitions. */
  synchronized List<Repetition> takeAll(long now) {
    return counts.values().stream()
        .filter(count -> count.untold)
        .map(count -> take(count, now))
        .toList();
  }

  private static Repetition take(Count count, long now) {
    count.untold = false;
    count.endNanos = now + MINUTE_NANOS;
    return new Repetition(count.latest, count.times, count.since);
  }
}
