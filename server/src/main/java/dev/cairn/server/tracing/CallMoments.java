package dev.cairn.server.tracing;

import java.util.concurrent.TimeUnit;

/**
 * The arrival, start and end of a call, by the server's {@link
 * dev.cairn.engine.time.Clock#nanoTime}.
 *
 * @param startedNanos start of its work, plus the time in queues between two parts of it
 * @param endedMillis the end again, milliseconds since 1970
 */
public record CallMoments(
    long receivedNanos, long startedNanos, long endedNanos, long endedMillis) {
  /** Returns the time in queues. */
  long queueNanos() {
    return startedNanos - receivedNanos;
  }

  /** Returns a moment of the server's clock in nanoseconds since 1970. */
  long epochNanos(long nanos) {
    return TimeUnit.MILLISECONDS.toNanos(endedMillis) - (endedNanos - nanos);
  }
}
