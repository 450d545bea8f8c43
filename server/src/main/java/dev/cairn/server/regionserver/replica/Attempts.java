package dev.cairn.server.regionserver.replica;

/** Decides when a failed operation is repeated. The pauses increase with each failure. */
final class Attempts {
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long PAUSE_MIN_MILLIS = 1_000;
  private static final long PAUSE_MAX_MILLIS = 30_000;

  private int failures;
  private long notBeforeMillis = Long.MIN_VALUE;

  boolean isDue(long nowMillis) {
    return nowMillis >= notBeforeMillis;
  }

  /** Tells whether the last attempt failed. */
  boolean haveFailed() {
    return failures > 0;
  }

  void succeeded() {
    failures = 0;
    notBeforeMillis = Long.MIN_VALUE;
  }

  void failed(long nowMillis) {
    long pause =
        failures == 0
            ? FIRST_PAUSE_MILLIS
            : Math.min(PAUSE_MAX_MILLIS, PAUSE_MIN_MILLIS << Math.min(failures - 1, 5));
    failures++;
    notBeforeMillis = nowMillis + pause;
  }
}
