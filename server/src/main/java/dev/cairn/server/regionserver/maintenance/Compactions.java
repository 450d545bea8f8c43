package dev.cairn.server.regionserver.maintenance;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.CompactableRegion;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hooked.HookedWork.Kind;
import dev.cairn.server.regionserver.hosted.HostedRegion;
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
 * Compacts families of regions in the background, each at most once at a time, except that a minor
 * compaction does not wait for a large one that runs, or for a large major one that waits. A major
 * compaction that is requested while another compaction runs follows it. Tables with {@code
 * COMPACTION_ENABLED} false, or with an exceeded limit on space that forbids compactions, are left
 * alone. A compaction that waits can be dropped; the next periodic check may request it again.
 *
 * <p>Large and small compactions wait in queues of their own and run on threads of their own, so a
 * large one does not delay small ones. The files of a family may change while its compaction waits.
 * So each compaction is measured again when its turn comes, and moves to the other queue, once, if
 * it belongs there.
 *
 * <p>Thread-safe.
 */
public final class Compactions {
  private static final Logger LOG = LoggerFactory.getLogger(Compactions.class);

  /** The queues of HBase's region servers, with the names that clients use. */
  public enum Queue {
    /** Large compactions: {@link CompactableRegion#isLargeCompaction}. */
    LONG("large"),
    /** All other compactions. */
    SHORT("small");

    private final String size;

    Queue(String size) {
      this.size = size;
    }

    /** Returns the queue that a client means by {@code name}. */
    public static Optional<Queue> of(String name) {
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
   * @param id distinguishes it from dropped compactions of the same store that are still queued
   * @param sinceMillis when it was requested, milliseconds since 1970
   * @param requester the user who asked for it; empty if the server did
   * @param thenMajor whether a major compaction follows
   * @param thenRequester the user who asked for that
   */
  private record Work(
      long id,
      HostedRegion region,
      byte[] family,
      long sinceMillis,
      boolean major,
      Optional<String> requester,
      boolean thenMajor,
      Optional<String> thenRequester,
      Queue queue,
      boolean begun) {
    private Work with(
        HostedRegion ofRegion,
        boolean follows,
        Optional<String> followsFor,
        Queue inQueue,
        boolean hasBegun) {
      return new Work(
          id,
          ofRegion,
          family,
          sinceMillis,
          major,
          requester,
          follows,
          followsFor,
          inQueue,
          hasBegun);
    }

    Work begin() {
      return with(region, thenMajor, thenRequester, queue, true);
    }

    /** Returns the same work on a later opening of the region. */
    public Work of(HostedRegion later) {
      return with(later, thenMajor, thenRequester, queue, begun);
    }

    Work in(Queue other) {
      return with(region, thenMajor, thenRequester, other, begun);
    }

    Work thenMajor(boolean follows, Optional<String> followsFor) {
      return with(region, follows, followsFor, queue, begun);
    }

    /** Returns the major compaction that follows, as one that waits. */
    Work next(Queue other) {
      return new Work(
          id,
          region,
          family,
          sinceMillis,
          true,
          thenRequester,
          false,
          Optional.empty(),
          other,
          false);
    }
  }

  private final Executor small;
  private final Executor large;
  private final HookedWork hooked;
  private final Clock clock;
  private final AtomicBoolean enabled;
  private final SplitCheck splits;

  /** Follows the name of a minor compaction that does not wait for a large one of its family. */
  private static final String BESIDE = "\0beside";

  /** By the region's name, a slash, the family's name, and perhaps {@link #BESIDE}. */
  private final Map<String, Work> running = new ConcurrentHashMap<>();

  private final AtomicLong ids = new AtomicLong();

  /**
   * Creates the compactor.
   *
   * @param small runs small compactions
   * @param large runs large compactions
   * @param hooked runs compactions of regions with hooks
   * @param enabled whether compactions are on
   * @param splits asks for a split of a region that should be split; called after each compaction
   */
  public Compactions(
      Executor small,
      Executor large,
      HookedWork hooked,
      Clock clock,
      boolean enabled,
      SplitCheck splits) {
    this.small = small;
    this.large = large;
    this.hooked = hooked;
    this.clock = clock;
    this.splits = splits;
    this.enabled = new AtomicBoolean(enabled);
  }

  /** Asks for compactions of the families that have gathered files or are due. */
  public void check(HostedRegion region) {
    if (enabled.get() && isEnabledFor(region) && mayCompact(region)) {
      region
          .compactions()
          .familiesToCompact()
          .forEach(family -> add(region, family, false, Optional.empty()));
    }
  }

  /**
   * Asks for a compaction of a region that was just opened, if it refers to files of the regions
   * that it was made of, or if some of its files lack an index. Until the compaction ends, a region
   * with references cannot be split or merged, its reads fill the block cache with blocks that the
   * compaction replaces, and the files of its parents stay; and scans cannot use the index.
   */
  public void opened(HostedRegion region) {
    if (!region.isReplica() && (region.compactions().hasReferences() || lacksIndex(region))) {
      check(region);
    }
  }

  private static boolean lacksIndex(HostedRegion region) {
    return region.figures().indexBuilds().stream().anyMatch(build -> !build.isComplete());
  }

  /** Asks for compactions of all families. */
  public void request(HostedRegion region, boolean major) {
    request(region, Optional.empty(), major, Optional.empty());
  }

  /**
   * Asks for a compaction of one family, or for compactions of all.
   *
   * @param requester the user who wants it; empty if the server does
   */
  public void request(
      HostedRegion region, Optional<byte[]> family, boolean major, Optional<String> requester) {
    if (region.isReplica()) {
      LOG.info("{} is not compacted: its files are those of its region", region);
      return;
    }
    if (!isEnabledFor(region)) {
      LOG.info("{} is not compacted: COMPACTION_ENABLED of its table is false", region);
      return;
    }
    if (!mayCompact(region)) {
      LOG.info("{} is not compacted: its table exceeds a limit on space that forbids it", region);
      return;
    }
    if (family.isPresent()) {
      add(region, family.get(), major, requester);
    } else {
      for (FamilySchema each : region.schema().families()) {
        add(region, each.name(), major, requester);
      }
    }
  }

  private void add(HostedRegion region, byte[] family, boolean major, Optional<String> requester) {
    String ofFamily = prefix(region) + Bytes.utf8(family);
    Work first = running.get(ofFamily);
    boolean beside =
        !major && first != null && first.queue() == Queue.LONG && (first.begun() || first.major());
    String name = beside ? ofFamily + BESIDE : ofFamily;
    Work added =
        new Work(
            ids.getAndIncrement(),
            region,
            family,
            clock.currentTimeMillis(),
            major,
            requester,
            false,
            Optional.empty(),
            queue(region, family, major),
            false);
    Work now =
        running.merge(
            name,
            added,
            (present, same) -> {
              Work work = present.begun() ? present : present.of(region);
              return major && !work.major() ? work.thenMajor(true, requester) : work;
            });
    if (now == added) {
      execute(name, added, true);
    }
  }

  /** Drops the compactions that wait in {@code queues}; running ones go on. */
  public void clear(Set<Queue> queues) {
    for (Map.Entry<String, Work> entry : running.entrySet()) {
      Work seen = entry.getValue();
      Queue ofMajor = queue(seen.region(), seen.family(), true);
      running.computeIfPresent(
          entry.getKey(),
          (name, work) -> {
            boolean follows = work.thenMajor() && !queues.contains(ofMajor);
            if (work.begun() || !queues.contains(work.queue())) {
              return work.thenMajor(follows, work.thenRequester());
            }
            return follows ? work.next(ofMajor) : null;
          });
    }
  }

  /** Turns compactions on or off, while running ones continue; returns the former value. */
  public boolean enable(boolean on) {
    return enabled.getAndSet(on);
  }

  /** Tells whether compactions are on. */
  public boolean isEnabled() {
    return enabled.get();
  }

  /** Returns whether a compaction of the region is waiting or running, and if so, a major one. */
  public Optional<Boolean> state(HostedRegion region) {
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
  public List<ServerTask> tasks() {
    return running.values().stream().map(Compactions::task).toList();
  }

  private static ServerTask task(Work work) {
    return ServerTask.newBuilder()
        .setDescription(
            (work.major() ? "Major compaction of " : "Compaction of ")
                + work.region().info().regionNameAsString()
                + ", family "
                + Bytes.utf8(work.family()))
        .setStatus(
            work.begun()
                ? "Merging store files in a " + work.queue().size + " compaction"
                : "Waiting for other " + work.queue().size + " compactions")
        .setState(work.begun() ? ServerTask.State.RUNNING : ServerTask.State.WAITING)
        .setStartTime(work.sinceMillis())
        .build();
  }

  /** Returns how many compactions wait in a queue. */
  public int waiting(Queue queue) {
    return (int)
        running.values().stream().filter(work -> !work.begun() && work.queue() == queue).count();
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

  /** Returns the queue of a compaction that would begin now. */
  private static Queue queue(HostedRegion region, byte[] family, boolean major) {
    return region.compactions().isLargeCompaction(family, major) ? Queue.LONG : Queue.SHORT;
  }

  private void execute(String name, Work work, boolean mayMove) {
    Queue queue = work.queue();
    threads(work.region(), queue).execute(() -> run(name, work.id(), queue, mayMove));
  }

  private Executor threads(HostedRegion region, Queue queue) {
    boolean isLarge = queue == Queue.LONG;
    if (region.isHooked()) {
      return hooked.threads(
          isLarge ? Kind.LARGE_COMPACTION : Kind.SMALL_COMPACTION, region.info().table());
    }
    return isLarge ? large : small;
  }

  /**
   * Runs a compaction, or moves it to the other queue.
   *
   * @param here the queue whose thread this is
   */
  private void run(String name, long id, Queue here, boolean mayMove) {
    boolean ended = false;
    try {
      proceed(name, id, here, mayMove);
      ended = true;
    } finally {
      if (!ended) {
        // Later requests of the family must not join work that no thread does.
        running.computeIfPresent(name, (any, work) -> work.id() == id ? null : work);
      }
    }
  }

  private void proceed(String name, long id, Queue here, boolean mayMove) {
    Work waiting = running.get(name);
    if (waiting == null || waiting.id() != id) {
      return; // it was dropped while it waited
    }
    Queue queue = mayMove ? queue(waiting.region(), waiting.family(), waiting.major()) : here;
    Work work =
        running.computeIfPresent(
            name,
            (any, same) ->
                same.id() != id ? same : queue == here ? same.in(here).begin() : same.in(queue));
    if (work == null || work.id() != id) {
      return;
    }
    if (!work.begun()) {
      execute(name, work, false);
      return;
    }
    compact(work);
    Queue ofMajor = queue(work.region(), work.family(), true);
    Work next =
        running.computeIfPresent(
            name, (any, ended) -> ended.thenMajor() ? ended.next(ofMajor) : null);
    if (next == null) {
      splits.requestIfDue(work.region());
    } else {
      execute(name, next, true);
    }
  }

  private void compact(Work work) {
    HostedRegion region = work.region();
    try {
      if (enabled.get()) {
        region.compactions().compact(work.family(), work.major(), work.requester());
      }
    } catch (RegionClosedException e) {
      LOG.info("{} closes; it is not compacted", region);
    } catch (FencedException e) {
      LOG.info("{} is open elsewhere; it is not compacted here: {}", region, e.getMessage());
    } catch (IOException e) {
      LOG.warn(
          "Cannot compact {}; its files are as before, and a later compaction tries again",
          region,
          e);
    } catch (RuntimeException | LinkageError e) {
      LOG.error("Compacting {} met a programming error; its files are as before", region, e);
    }
  }
}
