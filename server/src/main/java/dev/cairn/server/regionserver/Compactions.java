package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.region.RegionClosedException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts regions, or single families of them, in the background, each at most once at a time. A
 * major compaction that is asked for while another one runs follows it. Tables with {@code
 * COMPACTION_ENABLED} false are left alone. Thread-safe.
 */
final class Compactions {
  private static final Logger LOG = LoggerFactory.getLogger(Compactions.class);

  private enum Work {
    MINOR,
    MAJOR,
    MINOR_THEN_MAJOR
  }

  private final Executor executor;
  private final AtomicBoolean enabled;
  private final Predicate<HostedRegion> splits;

  /** By a region's name, a slash, and the family's if it is only one. */
  private final Map<String, Work> running = new ConcurrentHashMap<>();

  /**
   * Creates the compactor.
   *
   * @param enabled whether compactions are on
   * @param splits asks for a split of a region that should be split; told after each compaction
   */
  Compactions(Executor executor, boolean enabled, Predicate<HostedRegion> splits) {
    this.executor = executor;
    this.splits = splits;
    this.enabled = new AtomicBoolean(enabled);
  }

  /** Asks for a compaction if the region has gathered files, or it is time for one. */
  void check(HostedRegion region) {
    if (enabled.get() && isEnabledFor(region) && region.upkeep().needsCompaction()) {
      request(region, false);
    }
  }

  /** Asks for a compaction of all families. */
  void request(HostedRegion region, boolean major) {
    request(region, Optional.empty(), major);
  }

  /** Asks for a compaction of one family, or of all. */
  void request(HostedRegion region, Optional<byte[]> family, boolean major) {
    if (!isEnabledFor(region)) {
      LOG.info("{} is not compacted: COMPACTION_ENABLED of its table is false", region);
      return;
    }
    String name = prefix(region) + family.map(Bytes::utf8).orElse("");
    Work[] before = new Work[1];
    running.compute(
        name,
        (any, work) -> {
          before[0] = work;
          if (work == null) {
            return major ? Work.MAJOR : Work.MINOR;
          }
          return major && work == Work.MINOR ? Work.MINOR_THEN_MAJOR : work;
        });
    if (before[0] == null) {
      executor.execute(() -> run(region, name, family, major));
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
    String prefix = prefix(region);
    return running.entrySet().stream()
        .filter(work -> work.getKey().startsWith(prefix))
        .map(work -> work.getValue() != Work.MINOR)
        .reduce(Boolean::logicalOr);
  }

  /** Returns how many compactions are waiting or running. */
  int pending() {
    return running.size();
  }

  private static boolean isEnabledFor(HostedRegion region) {
    return region
        .schema()
        .attribute("COMPACTION_ENABLED")
        .map(text -> Boolean.parseBoolean(text.trim()))
        .orElse(true);
  }

  private static String prefix(HostedRegion region) {
    return region.encodedName() + "/";
  }

  private void run(HostedRegion region, String name, Optional<byte[]> family, boolean major) {
    try {
      if (enabled.get()) {
        region.upkeep().compact(family, major);
      }
    } catch (RegionClosedException e) {
      LOG.info("{} closed before its compaction", region);
    } catch (CorruptFileException e) {
      // The engine's listener has logged the damage.
    } catch (IOException | RuntimeException | LinkageError e) {
      // The files that were to be merged are as they were; a later compaction tries again.
      LOG.error("Cannot compact {}", region, e);
    }
    Work next =
        running.computeIfPresent(
            name, (any, work) -> work == Work.MINOR_THEN_MAJOR ? Work.MAJOR : null);
    if (next == Work.MAJOR) {
      executor.execute(() -> run(region, name, family, true));
    } else {
      splits.test(region);
    }
  }
}
