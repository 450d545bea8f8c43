package dev.cairn.server.regionserver;

/** Adds up the times during which something was blocked. Thread-safe. */
final class BlockedTime {
  private boolean isBlocked; // guarded by this
  private long sinceNanos; // guarded by this
  private long pastNanos; // guarded by this

  /** Notes that it is blocked; does nothing if it was before. */
  synchronized void begin(long nowNanos) {
    if (!isBlocked) {
      isBlocked = true;
      sinceNanos = nowNanos;
    }
  }

  /** Notes that it is not blocked; does nothing if it was not before. */
  synchronized void end(long nowNanos) {
    pastNanos = nanos(nowNanos);
    isBlocked = false;
  }

  /** Returns how long it has been blocked, in nanoseconds. */
  synchronized long nanos(long nowNanos) {
    return pastNanos + (isBlocked ? Math.max(0, nowNanos - sinceNanos) : 0);
  }
}
