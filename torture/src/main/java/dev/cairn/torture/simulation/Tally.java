package dev.cairn.torture.simulation;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.WalStalledException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what the engine does, and remembers the newest compactions. Thread-safe. */
public final class Tally implements EngineListener, WalListener {
  /**
   * A compaction that was begun.
   *
   * @param region the region's encoded name
   * @param major whether it took all of the store's files
   */
  public record Compaction(String region, String family, boolean major) {}

  private final AtomicLong flushes = new AtomicLong();
  private final AtomicLong compactions = new AtomicLong();
  private final AtomicLong majorCompactions = new AtomicLong();
  private final AtomicLong rolls = new AtomicLong();
  private final AtomicLong replayed = new AtomicLong();
  private final AtomicLong logFailures = new AtomicLong();
  private final AtomicLong logFilesFailed = new AtomicLong();
  private final AtomicLong stalls = new AtomicLong();
  private volatile boolean stalled;
  private final List<Compaction> begun = new ArrayList<>(); // guarded by itself

  @Override
  public void regionOpened(String region, int storeFiles, long replayedEntries, long nanos) {
    replayed.addAndGet(replayedEntries);
  }

  @Override
  public void flushEnded(String region, int files, long fileBytes, long nanos) {
    flushes.incrementAndGet();
  }

  @Override
  public void compactionBegun(String region, String family, int files, long bytes, boolean major) {
    synchronized (begun) {
      begun.add(new Compaction(region, family, major));
    }
  }

  @Override
  public void compactionEnded(
      String region,
      String family,
      int files,
      boolean major,
      long bytesIn,
      long bytesOut,
      long nanos) {
    compactions.incrementAndGet();
    if (major) {
      majorCompactions.incrementAndGet();
    }
  }

  @Override
  public void rolled(String path, String next, long bytes) {
    rolls.incrementAndGet();
  }

  @Override
  public void fileFailed(String path, Throwable cause) {
    if (!(cause instanceof MachineGoneException)) {
      logFilesFailed.incrementAndGet();
    }
  }

  @Override
  public void stalled(WalStalledException cause) {
    stalls.incrementAndGet();
    stalled = true;
  }

  @Override
  public void resumed() {
    stalled = false;
  }

  @Override
  public void failed(WalFailedException failure) {
    if (!(failure.getCause() instanceof MachineGoneException)) {
      logFailures.incrementAndGet();
    }
  }

  /** Returns the compactions that were begun since the last call. */
  public List<Compaction> takeCompactions() {
    synchronized (begun) {
      List<Compaction> taken = List.copyOf(begun);
      begun.clear();
      return taken;
    }
  }

  /** Returns the number of flushes that wrote a file. */
  public long flushes() {
    return flushes.get();
  }

  /** Returns the number of compactions that ended well. */
  public long compactions() {
    return compactions.get();
  }

  /** Returns how many of those were major. */
  public long majorCompactions() {
    return majorCompactions.get();
  }

  /** Returns how many log files were ended. */
  public long rolls() {
    return rolls.get();
  }

  /** Returns how many log entries were applied again. */
  public long replayed() {
    return replayed.get();
  }

  /** Returns how many log files failed and were replaced by others. */
  public long logFilesFailed() {
    return logFilesFailed.get();
  }

  /** Returns how often a log waited for room. */
  public long stalls() {
    return stalls.get();
  }

  /** Tells whether the log waits for room now. */
  boolean isStalled() {
    return stalled;
  }

  /** Another life begins, with a log of its own. */
  void newLife() {
    stalled = false;
  }

  /** Returns how many logs failed for good. */
  public long logFailures() {
    return logFailures.get();
  }
}
