package dev.cairn.engine.store;

import dev.cairn.engine.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Decides when files that lack an index are rewritten again after that has failed: after growing
 * pauses, because each attempt reads and writes all of them. Other compactions do not wait.
 * Thread-safe.
 */
final class IndexRetries {
  private static final long PAUSE_MIN_MILLIS = 10_000;
  private static final long PAUSE_MAX_MILLIS = TimeUnit.MINUTES.toMillis(30);
  private static final int REASON_LENGTH_MAX = 300;

  private final Clock clock;
  private Optional<Failure> last = Optional.empty(); // guarded by this

  /**
   * The last of some attempts that failed.
   *
   * @param count the number of attempts
   */
  private record Failure(int count, long restUntilNanos, String reason) {}

  IndexRetries(Clock clock) {
    this.clock = clock;
  }

  /** Takes note of a failure. */
  synchronized void failed(Throwable cause) {
    int before = last.map(Failure::count).orElse(0);
    long pause = Math.min(PAUSE_MAX_MILLIS, PAUSE_MIN_MILLIS << Math.min(before, 20));
    String reason = cause.toString();
    last =
        Optional.of(
            new Failure(
                before + 1,
                clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause),
                reason.substring(0, Math.min(REASON_LENGTH_MAX, reason.length()))));
  }

  /** Takes note that files were rewritten. */
  synchronized void succeeded() {
    last = Optional.empty();
  }

  /** Tells whether an attempt failed so recently that another one must wait. */
  synchronized boolean isResting() {
    return last.isPresent() && restNanos(last.get()) > 0;
  }

  private long restNanos(Failure failure) {
    return failure.restUntilNanos() - clock.nanoTime();
  }

  /** Returns why the files still lack an index, one sentence; empty if no attempt has failed. */
  synchronized Optional<String> problem() {
    return last.map(
        failure ->
            String.format(
                Locale.ROOT,
                "Writing it has failed (attempt %d, the next one in %d s): %s",
                failure.count(),
                TimeUnit.NANOSECONDS.toSeconds(Math.max(0, restNanos(failure))),
                failure.reason()));
  }
}
