package dev.cairn.server.process.event;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Timeline.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The last {@value #EVENTS_MAX} events of a process: what its regions and the servers of its
 * cluster did. Each takes about 300 bytes. Thread-safe.
 */
public final class EventRing implements EngineListener {
  /** The most events that are kept. */
  public static final int EVENTS_MAX = 2_000;

  private final Clock clock;
  private final Deque<Entry> events = new ArrayDeque<>(); // guarded by this
  private Optional<ClusterState> last = Optional.empty(); // guarded by this

  public EventRing(Clock clock) {
    this.clock = clock;
  }

  /**
   * An event.
   *
   * @param region the region that it is about; empty if it is not about one
   */
  private record Entry(Event event, String region) {
    Event named(Function<String, Optional<String>> tables) {
      return tables.apply(region).map(this::of).orElse(event);
    }

    private Event of(String table) {
      return new Event(
          event.lane(),
          event.startMillis(),
          event.endMillis(),
          event.level(),
          event.what() + " (table " + table + ")");
    }
  }

  /**
   * Returns the events, the oldest first.
   *
   * @param tables returns the table of a region if it is known
   */
  public List<Event> all(Function<String, Optional<String>> tables) {
    List<Entry> copy;
    synchronized (this) {
      copy = new ArrayList<>(events);
    }
    return copy.stream().map(entry -> entry.named(tables)).toList();
  }

  /** Adds the differences between the members of the cluster now and before. */
  public synchronized void changed(ClusterState now) {
    last.ifPresent(before -> compare(before, now));
    last = Optional.of(now);
  }

  private void compare(ClusterState before, ClusterState now) {
    missing(now.regionServers(), before.regionServers())
        .forEach(
            server -> add("", "server", 0, Level.GOOD, "Region server " + server + " registered"));
    missing(before.regionServers(), now.regionServers())
        .forEach(server -> add("", "server", 0, Level.WARN, "Region server " + server + " left"));
    if (!before.activeMaster().equals(now.activeMaster())) {
      add(
          "",
          "server",
          0,
          now.activeMaster().isPresent() ? Level.GOOD : Level.BAD,
          now.activeMaster()
              .map(master -> "Master " + master + " is active")
              .orElse("No master is active"));
    }
  }

  private static <T> Set<T> missing(Set<T> all, Set<T> others) {
    Set<T> missing = new TreeSet<>(all);
    missing.removeAll(others);
    return missing;
  }

  private synchronized void add(String region, String lane, long nanos, Level level, String what) {
    long now = clock.currentTimeMillis();
    events.addLast(
        new Entry(
            new Event(lane, now - TimeUnit.NANOSECONDS.toMillis(nanos), now, level, what), region));
    if (events.size() > EVENTS_MAX) {
      events.removeFirst();
    }
  }

  @Override
  public void regionOpened(String region, int storeFiles, long replayedEntries, long nanos) {
    add(
        region,
        "open",
        nanos,
        Level.PLAIN,
        "Opened " + region + "; " + replayedEntries + " log entries applied again");
  }

  @Override
  public void regionClosed(String region) {
    add(region, "close", 0, Level.PLAIN, "Closed " + region);
  }

  @Override
  public void flushEnded(String region, int files, long fileBytes, long nanos) {
    add(region, "flush", nanos, Level.PLAIN, "Flushed " + region + " to " + fileBytes + " bytes");
  }

  @Override
  public void flushFailed(String region, Throwable cause) {
    add(region, "flush", 0, Level.BAD, "Flushing " + region + " failed: " + cause.getMessage());
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
    add(
        region,
        "compaction",
        nanos,
        Level.PLAIN,
        "Compacted " + region + "/" + family + " from " + bytesIn + " to " + bytesOut + " bytes");
  }

  @Override
  public void compactionStopped(String region, String family) {
    add(
        region,
        "compaction",
        0,
        Level.PLAIN,
        "Compacting " + region + "/" + family + " ended early: the region closes");
  }

  @Override
  public void compactionFailed(String region, String family, Throwable cause) {
    add(
        region,
        "compaction",
        0,
        Level.BAD,
        "Compacting " + region + "/" + family + " failed: " + cause.getMessage());
  }

  @Override
  public void storeFileLost(String region, String path, String reason) {
    add(region, "file", 0, Level.BAD, "A block of " + path + " is lost: " + reason);
  }
}
