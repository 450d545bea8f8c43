package dev.cairn.launcher.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Limits how often a server restarts itself. It restarts at once if its last restart was more than
 * a minute ago. Otherwise it waits, twice as long each time, so that it does not restart in a tight
 * loop. After {@value #STARTS_MAX} restarts within an hour, it stays down.
 */
final class RestartLimit {
  /** The most restarts within {@link #WINDOW}. */
  static final int STARTS_MAX = 40;

  static final Duration WINDOW = Duration.ofHours(1);

  private static final Duration LIFE_MIN = Duration.ofMinutes(1);

  /** The first pause that is not empty. */
  static final Duration PAUSE_MIN = Duration.ofSeconds(1);

  private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

  /** The times of the restarts within {@link #WINDOW}, the oldest first. */
  private final Deque<Duration> starts = new ArrayDeque<>();

  private Duration nextPause = PAUSE_MIN;

  /**
   * Records that a server is to restart.
   *
   * @param now the present time on a monotonic clock
   * @return the pause before the restart; empty if the server has restarted too often
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
    nextPause = livedLong ? PAUSE_MIN : longer(nextPause);
    starts.addLast(now.plus(pause));
    return Optional.of(pause);
  }

  /** Records that the server has restarted; its life begins now. */
  void started(Duration now) {
    starts.removeLast();
    starts.addLast(now);
  }

  /** Returns the pause that follows a pause, if that did not help: twice it, up to a limit. */
  static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
  }
}
