package dev.cairn.server.regionserver.maintenance;

/** Adds up the times during which something was blocked. Thread-safe. */
public final class BlockedTime {
  private boolean isBlocked; // guarded by this
  private long sinceNanos; // guarded by this
  private long pastNanos; // guarded by this

  /** Notes that the blocking has begun; does nothing if it had begun before. */
  public synchronized void begin(long nowNanos) {
    if (!isBlocked) {
      isBlocked = true;
      sinceNanos = nowNanos;
    }
  }

  /** Notes that the blocking has ended; does nothing if nothing was blocked. */
  public synchronized void end(long nowNanos) {
    pastNanos = nanos(nowNanos);
    isBlocked = false;
  }

  /** Returns how long something was blocked in total, in nanoseconds. */
  public synchronized long nanos(long nowNanos) {
    return pastNanos + (isBlocked ? Math.max(0, nowNanos - sinceNanos) : 0);
  }
}
