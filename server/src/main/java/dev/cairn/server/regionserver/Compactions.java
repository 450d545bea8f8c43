package dev.cairn.server.regionserver;

import dev.cairn.engine.region.RegionClosedException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts regions in the background, each at most once at a time. A major compaction that is asked
 * for while another one runs follows it. Thread-safe.
 */
final class Compactions {
  private static final Logger LOG = LoggerFactory.getLogger(Compactions.class);

  private enum Work {
    MINOR,
    MAJOR,
    MINOR_THEN_MAJOR
  }

  private final Executor executor;
  private final int minFiles;
  private final AtomicBoolean enabled = new AtomicBoolean(true);
  private final Map<String, Work> running = new ConcurrentHashMap<>();

  /**
   * Creates the compactor.
   *
   * @param minFiles from how many files of one family on a region is looked at
   */
  Compactions(Executor executor, int minFiles) {
    this.executor = executor;
    this.minFiles = minFiles;
  }

  /** Asks for a compaction if the region has gathered files. */
  void check(HostedRegion region) {
    if (enabled.get() && region.upkeep().statistics().maxStoreFiles() >= minFiles) {
      request(region, false);
    }
  }

  /** Asks for a compaction. */
  void request(HostedRegion region, boolean major) {
    Work[] before = new Work[1];
    running.compute(
        region.encodedName(),
        (name, work) -> {
          before[0] = work;
          if (work == null) {
            return major ? Work.MAJOR : Work.MINOR;
          }
          return major && work == Work.MINOR ? Work.MINOR_THEN_MAJOR : work;
        });
    if (before[0] == null) {
      executor.execute(() -> run(region, major));
    }
  }

  /** Turns compactions on or off, running ones go on; returns what was before. */
  boolean enable(boolean on) {
    return enabled.getAndSet(on);
  }

  /** Tells whether compactions are on. */
  boolean isEnabled() {
    return enabled.get();
  }

  /** Returns whether a compaction of the region is waiting or running, and if so, a major one. */
  Optional<Boolean> state(HostedRegion region) {
    return Optional.ofNullable(running.get(region.encodedName())).map(work -> work != Work.MINOR);
  }

  /** Returns how many compactions are waiting or running. */
  int pending() {
    return running.size();
  }

  private void run(HostedRegion region, boolean major) {
    try {
      if (enabled.get()) {
        region.upkeep().compact(major);
      }
    } catch (RegionClosedException e) {
      LOG.info("{} closed before its compaction", region);
    } catch (IOException | RuntimeException | LinkageError e) {
      // The files that were to be merged are as they were; a later compaction tries again.
      LOG.error("Cannot compact {}", region, e);
    }
    Work next =
        running.computeIfPresent(
            region.encodedName(),
            (name, work) -> work == Work.MINOR_THEN_MAJOR ? Work.MAJOR : null);
    if (next == Work.MAJOR) {
      executor.execute(() -> run(region, true));
    }
  }
}
