package dev.cairn.launcher;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Limits how often a server starts again by itself. A server starts again at once if its last start
 * was more than a minute ago. Otherwise it waits, twice as long each time, so that it does not
 * start in a loop. After {@value #STARTS_MAX} starts within an hour, it stays down.
 */
final class RestartLimit {
  /** The most starts within {@link #WINDOW}. */
  static final int STARTS_MAX = 40;

  static final Duration WINDOW = Duration.ofHours(1);

  private static final Duration LIFE_MIN = Duration.ofMinutes(1);
  private static final Duration PAUSE_MIN = Duration.ofSeconds(1);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

  /** The times of the starts within {@link #WINDOW}, the oldest first. */
  private final Deque<Duration> starts = new ArrayDeque<>();

  private Duration nextPause = PAUSE_MIN;

  /**
   * Records that a server is to start.
   *
   * @param now the present time on a monotonic clock
   * @return the pause before the start; empty if the server has started too often
   */
  Optional<Duration> next(Duration now) {
    while (!starts.isEmpty() && now.minus(starts.getFirst()).compareTo(WINDOW) >= 0) {
      starts.removeFirst();
    }
    if (starts.size() >= STARTS_MAX) {
      return Optional.empty();
    }
    boolean livedLong = starts.isEmpty() || now.minus(starts.getLast()).compareTo(LIFE_MIN) > 0;
    Duration pause = livedLong ? Duration.ZERO : nextPause;
    Duration twice = nextPause.multipliedBy(2);
    nextPause = livedLong ? PAUSE_MIN : twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
    starts.addLast(now.plus(pause));
    return Optional.of(pause);
  }
}
