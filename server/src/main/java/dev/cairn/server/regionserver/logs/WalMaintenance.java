package dev.cairn.server.regionserver.logs;

import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Wal;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.Flushes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Rolls the logs in time, and flushes the regions that keep too many files. Thread-safe. */
public final class WalMaintenance {
  private final ServerLogs logs;
  private final OnlineRegions regions;
  private final Flushes flushes;
  private final Clock clock;
  private final long rollNanos;
  private long lastRollNanos;

  public WalMaintenance(
      ServerLogs logs, OnlineRegions regions, Flushes flushes, Clock clock, long rollMillis) {
    this.logs = logs;
    this.regions = regions;
    this.flushes = flushes;
    this.clock = clock;
    this.rollNanos = TimeUnit.MILLISECONDS.toNanos(rollMillis);
    this.lastRollNanos = clock.nanoTime();
  }

  /** Tells whether {@link #check} would do something. Does not block. */
  public boolean isDue() {
    if (isRollDue()) {
      return true;
    }
    for (Wal log : logs.all()) {
      if (!log.regionsToFlush().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Checks the logs once. */
  public void check() throws IOException {
    if (isRollDue()) {
      roll();
    } else {
      flushHolders();
    }
  }

  /**
   * Begins a new file of each log.
   *
   * @return the encoded names of the regions that are flushed so that the logs can shrink
   */
  public List<String> roll() throws IOException {
    synchronized (this) {
      lastRollNanos = clock.nanoTime();
    }
    for (Wal log : logs.all()) {
      log.roll();
    }
    return flushHolders();
  }

  private synchronized boolean isRollDue() {
    return clock.nanoTime() - lastRollNanos >= rollNanos;
  }

  private List<String> flushHolders() {
    List<String> asked = new ArrayList<>();
    for (Wal log : logs.all()) {
      log.regionsToFlush()
          .forEach(
              (name, sequence) ->
                  regions
                      .get(name)
                      .ifPresent(
                          region -> {
                            flushes.request(
                                region,
                                new FlushScope.UpTo(sequence),
                                "its unflushed entries keep old log files");
                            asked.add(name);
                          }));
    }
    return asked;
  }
}
