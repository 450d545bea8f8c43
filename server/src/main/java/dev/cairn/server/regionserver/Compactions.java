package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.region.RegionClosedException;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts regions, or single families of them, in the background, each at most once at a time. A
 * major compaction that is asked for while another one runs follows it. Tables with {@code
 * COMPACTION_ENABLED} false, or with an exceeded limit on space that forbids compactions, are left
 * alone. A compaction that waits can be dropped; the next periodic check may request it again.
 * Thread-safe.
 */
final class Compactions {
  private static final Logger LOG = LoggerFactory.getLogger(Compactions.class);

  /**
   * The queues of HBase's region servers, which clients name. HBase divides compactions by their
   * size, and Cairn by their kind.
   */
  enum Queue {
    /** Major compactions. */
    LONG,
    /** All other compactions. */
    SHORT;

    /** Returns the queue that a client means by {@code name}. */
    static Optional<Queue> of(String name) {
      return switch (name) {
        case "long" -> Optional.of(LONG);
        case "short" -> Optional.of(SHORT);
        default -> Optional.empty();
      };
    }
  }

  /**
   * A compaction that waits or runs.
   *
   * @param id distinguishes it from dropped compactions of the same stores that are still queued
   * @param what the region and the family, for display
   * @param sinceMillis when it was requested, milliseconds since 1970
   * @param thenMajor whether a major compaction follows
   */
  private record Work(
      long id, String what, long sinceMillis, boolean major, boolean thenMajor, boolean begun) {
    Work begin() {
      return new Work(id, what, sinceMillis, major, thenMajor, true);
    }

    Work thenMajor(boolean follows) {
      return new Work(id, what, sinceMillis, major, follows, begun);
    }

    /** Returns the major compaction that follows, as one that waits. */
    Work next() {
      return new Work(id, what, sinceMillis, true, false, false);
    }
  }

  private final Executor executor;
  private final Clock clock;
  private final AtomicBoolean enabled;
  private final SplitCheck splits;

  /** By a region's name, a slash, and the family's if it is only one. */
  private final Map<String, Work> running = new ConcurrentHashMap<>();

  private final AtomicLong ids = new AtomicLong();

  /**
   * Creates the compactor.
   *
   * @param enabled whether compactions are on
   * @param splits asks for a split of a region that should be split; told after each compaction
   */
  Compactions(Executor executor, Clock clock, boolean enabled, SplitCheck splits) {
    this.executor = executor;
    this.clock = clock;
    this.splits = splits;
    this.enabled = new AtomicBoolean(enabled);
  }

  /** Asks for a compaction if the region has gathered files, or it is time for one. */
  void check(HostedRegion region) {
    if (enabled.get()
        && isEnabledFor(region)
        && mayCompact(region)
        && region.upkeep().needsCompaction()) {
      request(region, false);
    }
  }

  /**
   * Asks for a compaction of a region that was just opened if it refers to files of the regions
   * that it was made of. Until then, it cannot be split or merged, its reads fill the block cache
   * with blocks that the compaction replaces, and the files of its parents stay.
   */
  void opened(HostedRegion region) {
    if (region.upkeep().hasReferences()) {
      check(region);
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
    if (!mayCompact(region)) {
      LOG.info("{} is not compacted: its table exceeds a limit on space that forbids it", region);
      return;
    }
    String name = prefix(region) + family.map(Bytes::utf8).orElse("");
    Work added =
        new Work(
            ids.getAndIncrement(),
            region.info().regionNameAsString()
                + family.map(one -> ", family " + Bytes.utf8(one)).orElse(""),
            clock.currentTimeMillis(),
            major,
            false,
            false);
    Work now =
        running.merge(
            name, added, (work, same) -> major && !work.major() ? work.thenMajor(true) : work);
    if (now == added) {
      execute(region, name, family, added);
    }
  }

  /** Drops the compactions that wait in {@code queues}; running ones go on. */
  void clear(Set<Queue> queues) {
    for (String name : running.keySet()) {
      running.computeIfPresent(
          name,
          (any, work) -> {
            boolean drops = queues.contains(work.major() ? Queue.LONG : Queue.SHORT);
            if (work.begun() || !drops) {
              return queues.contains(Queue.LONG) ? work.thenMajor(false) : work;
            }
            boolean follows = work.thenMajor() && !queues.contains(Queue.LONG);
            return follows ? work.next() : null;
          });
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
    if (running.isEmpty()) {
      return Optional.empty();
    }
    String prefix = prefix(region);
    return running.entrySet().stream()
        .filter(work -> work.getKey().startsWith(prefix))
        .map(work -> work.getValue().major() || work.getValue().thenMajor())
        .reduce(Boolean::logicalOr);
  }

  /** Describes the compactions that wait or run. */
  List<ServerTask> tasks() {
    return running.values().stream()
        .map(
            work ->
                ServerTask.newBuilder()
                    .setDescription(
                        (work.major() ? "Major compaction of " : "Compaction of ") + work.what())
                    .setStatus(work.begun() ? "Merging store files" : "Waiting for others")
                    .setState(work.begun() ? ServerTask.State.RUNNING : ServerTask.State.WAITING)
                    .setStartTime(work.sinceMillis())
                    .build())
        .toList();
  }

  /** Returns how many compactions are waiting or running. */
  int pending() {
    return running.size();
  }

  /** Returns how many compactions of a queue are waiting or running. */
  int pending(Queue queue) {
    return (int)
        running.values().stream().filter(work -> work.major() == (queue == Queue.LONG)).count();
  }

  private static boolean isEnabledFor(HostedRegion region) {
    return region
        .schema()
        .attribute("COMPACTION_ENABLED")
        .map(text -> Boolean.parseBoolean(text.trim()))
        .orElse(true);
  }

  private static boolean mayCompact(HostedRegion region) {
    return region.space().mayCompact(region.info().table());
  }

  private static String prefix(HostedRegion region) {
    return region.encodedName() + "/";
  }

  private void execute(HostedRegion region, String name, Optional<byte[]> family, Work work) {
    executor.execute(() -> run(region, name, family, work.id()));
  }

  private void run(HostedRegion region, String name, Optional<byte[]> family, long id) {
    Work work =
        running.computeIfPresent(name, (any, next) -> next.id() == id ? next.begin() : next);
    if (work == null || work.id() != id) {
      return; // it was dropped while it waited
    }
    compact(region, family, work.major());
    Work next =
        running.computeIfPresent(name, (any, ended) -> ended.thenMajor() ? ended.next() : null);
    if (next == null) {
      splits.requestIfDue(region);
    } else {
      execute(region, name, family, next);
    }
  }

  private void compact(HostedRegion region, Optional<byte[]> family, boolean major) {
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
  }
}
