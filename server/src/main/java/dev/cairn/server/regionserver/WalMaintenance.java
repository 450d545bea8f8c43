package dev.cairn.server.regionserver;

import dev.cairn.engine.region.FlushScope;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Wal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Rolls the log in time, and flushes the regions that keep too many of its files. Thread-safe. */
final class WalMaintenance {
  private final Wal wal;
  private final OnlineRegions regions;
  private final Flushes flushes;
  private final Clock clock;
  private final long rollNanos;
  private long lastRollNanos;

  WalMaintenance(Wal wal, OnlineRegions regions, Flushes flushes, Clock clock, long rollMillis) {
    this.wal = wal;
    this.regions = regions;
    this.flushes = flushes;
    this.clock = clock;
    this.rollNanos = TimeUnit.MILLISECONDS.toNanos(rollMillis);
    this.lastRollNanos = clock.nanoTime();
  }

  /** Looks at the log once. */
  void check() throws IOException {
    if (isRollDue()) {
      roll();
    } else {
      flushHolders();
    }
  }

  /**
   * Begins a new log file.
   *
   * @return the encoded names of the regions that are flushed so that the log can shrink
   */
  List<String> roll() throws IOException {
    synchronized (this) {
      lastRollNanos = clock.nanoTime();
    }
    wal.roll();
    return flushHolders();
  }

  private synchronized boolean isRollDue() {
    return clock.nanoTime() - lastRollNanos >= rollNanos;
  }

  private List<String> flushHolders() {
    List<String> asked = new ArrayList<>();
    wal.regionsToFlush()
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
    return asked;
  }
}
