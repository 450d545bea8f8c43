package dev.cairn.server.regionserver.maintenance;

import dev.cairn.engine.region.state.RegionFailedException;
import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.WalFailedException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Decides when a failed flush is tried again, and when it is hopeless. On a full disk it is tried
 * without limit, after another error of the storage a number of times, both with growing pauses;
 * not at all when the log or the region itself is broken, because then nothing may be written any
 * more. Thread-safe.
 */
public final class StorageRetries {
  private static final int TRIES = 10;
  private static final long PAUSE_MIN_MILLIS = 1_000;
  private static final long PAUSE_MAX_MILLIS = 60_000;

  /** Failures in a row: all of them, and those that were not for want of room. */
  private record Failures(int all, int notFull, long restUntilNanos) {}

  private final Clock clock;
  private final Map<String, Failures> byRegion = new ConcurrentHashMap<>();

  public StorageRetries(Clock clock) {
    this.clock = clock;
  }

  /**
   * Takes note of a failure.
   *
   * @return after how many milliseconds to try again; empty if that is of no use
   */
  public OptionalLong failed(String region, Throwable cause) {
    if (isFinal(cause)) {
      return OptionalLong.empty();
    }
    Failures before = byRegion.getOrDefault(region, new Failures(0, 0, 0));
    int notFull = before.notFull() + (DiskFullException.isCauseOf(cause) ? 0 : 1);
    if (notFull > TRIES) {
      return OptionalLong.empty();
    }
    // On a full disk, too, the pauses grow: attempts take the room that others wait for.
    long pause = Math.min(PAUSE_MAX_MILLIS, PAUSE_MIN_MILLIS << Math.min(before.all(), 10));
    long until = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause);
    byRegion.put(region, new Failures(before.all() + 1, notFull, until));
    return OptionalLong.of(pause);
  }

  /** Takes note that all is well again. */
  public void succeeded(String region) {
    byRegion.remove(region);
  }

  /** Tells whether the region failed so recently that it is not to be tried yet. */
  boolean isResting(String region) {
    Failures failures = byRegion.get(region);
    return failures != null && clock.nanoTime() - failures.restUntilNanos() < 0;
  }

  private static boolean isFinal(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 20; depth++) {
      if (cause instanceof WalFailedException || cause instanceof RegionFailedException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
