package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.replica.ReplicaLink.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the servers of replicas that the store files of regions of this server have changed: after
 * a flush, a compaction, a bulk load, and the opening of the region. A notice that fails is
 * repeated, with longer and longer pauses, until all replicas have it or the region leaves. There
 * is one call at a time to each server, for all regions that are due. Thread-safe; {@link #check}
 * is called by one thread at a time.
 */
public final class ReplicaNotices {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaNotices.class);

  /** The time between two looks for changes. */
  public static final long CHECK_MILLIS = 100;

  private static final long PAUSE_MIN_MILLIS = 1_000;
  private static final long PAUSE_MAX_MILLIS = 30_000;

  private final ServerName self;
  private final OnlineRegions regions;
  private final ReplicaLink link;
  private final ReplicaRefresh local;
  private final Executor executor;
  private final Clock clock;

  /** The notices of the regions with replicas, by encoded name. */
  private final Map<String, Notice> notices = new ConcurrentHashMap<>();

  /** The servers to which a call is under way, each with the regions that it concerns. */
  private final Map<ServerName, List<HostedRegion>> calls = new ConcurrentHashMap<>();

  /**
   * What the replicas of a region have been told.
   *
   * @param region the opening of the region
   * @param version the version of the files that they were told, or are being told; -1 for none
   * @param failures the failed attempts since the last one that succeeded
   * @param notBeforeMillis the time of the next attempt
   */
  private record Notice(HostedRegion region, long version, int failures, long notBeforeMillis) {
    boolean isDue(HostedRegion open, long nowMillis) {
      return region != open || version != open.files().version() && nowMillis >= notBeforeMillis;
    }
  }

  /**
   * Creates it.
   *
   * @param self this server
   * @param local refreshes the replicas that are at this server
   * @param executor runs calls to servers
   */
  public ReplicaNotices(
      ServerName self,
      OnlineRegions regions,
      ReplicaLink link,
      ReplicaRefresh local,
      Executor executor,
      Clock clock) {
    this.self = self;
    this.regions = regions;
    this.link = link;
    this.local = local;
    this.executor = executor;
    this.clock = clock;
  }

  /** Tells whether there is something to tell, or to forget. Does not block. */
  public boolean isDue() {
    long now = clock.currentTimeMillis();
    int open = 0;
    for (HostedRegion region : regions.open()) {
      if (isConcerned(region)) {
        open++;
        Notice notice = notices.get(region.encodedName());
        if (notice == null || notice.isDue(region, now)) {
          return true;
        }
      }
    }
    return open < notices.size();
  }

  /** A region that refuses every call has no files that its replicas could take over. */
  private static boolean isConcerned(HostedRegion region) {
    return region.hasReplicas() && region.refusal().isEmpty();
  }

  /** Looks for regions with changed files, and begins to tell of them. */
  public void check() {
    long now = clock.currentTimeMillis();
    Map<String, HostedRegion> open = new HashMap<>();
    List<HostedRegion> due = new ArrayList<>();
    for (HostedRegion region : regions.open()) {
      if (isConcerned(region)) {
        open.put(region.encodedName(), region);
        Notice notice = notices.get(region.encodedName());
        if (notice == null || notice.isDue(region, now)) {
          int failures = notice == null || notice.region() != region ? 0 : notice.failures();
          // Read before the replicas list the files: a later change is told again.
          long version = region.files().version();
          notices.put(region.encodedName(), new Notice(region, version, failures, now));
          due.add(region);
        }
      }
    }
    notices.keySet().retainAll(open.keySet());
    tell(due);
  }

  private void tell(List<HostedRegion> due) {
    Map<ServerName, Map<HostedRegion, List<RegionInfo>>> byServer = new LinkedHashMap<>();
    for (int i = 0; i < due.size(); i++) {
      HostedRegion region = due.get(i);
      try {
        for (Location location : link.locate(region.info())) {
          byServer
              .computeIfAbsent(location.server(), server -> new LinkedHashMap<>())
              .computeIfAbsent(region, any -> new ArrayList<>())
              .add(location.replica());
        }
      } catch (IOException e) {
        LOG.debug("The replicas of {} cannot be located: {}", region, e.toString());
        // hbase:meta does not answer: the next lookups would wait as long.
        again(due.subList(i, due.size()));
        break;
      } catch (RuntimeException e) {
        LOG.warn("The replicas of {} cannot be located", region, e);
        again(List.of(region));
      }
    }
    byServer.forEach(this::tell);
  }

  private void tell(ServerName server, Map<HostedRegion, List<RegionInfo>> replicas) {
    List<HostedRegion> concerned = List.copyOf(replicas.keySet());
    if (calls.putIfAbsent(server, concerned) != null) {
      again(concerned);
      return;
    }
    List<RegionInfo> all = replicas.values().stream().flatMap(List::stream).toList();
    try {
      executor.execute(() -> call(server, all, concerned));
    } catch (RejectedExecutionException e) {
      calls.remove(server);
      again(concerned);
    }
  }

  private void call(ServerName server, List<RegionInfo> replicas, List<HostedRegion> concerned) {
    boolean done = false;
    try {
      if (server.equals(self)) {
        local.refresh(replicas.stream().map(RegionInfo::encodedName).toList());
      } else {
        link.refresh(server, replicas);
      }
      concerned.forEach(this::told);
      done = true;
    } catch (IOException | RuntimeException e) {
      LOG.info(
          "{} does not know yet that the files of {} regions have changed: {}",
          server,
          concerned.size(),
          e.toString());
    } finally {
      calls.remove(server);
      if (!done) {
        again(concerned);
      }
    }
  }

  private void told(HostedRegion region) {
    notices.computeIfPresent(
        region.encodedName(),
        (name, notice) ->
            notice.region() == region && notice.version() >= 0
                ? new Notice(region, notice.version(), 0, notice.notBeforeMillis())
                : notice);
  }

  /** Tells of regions again after a pause. */
  private void again(List<HostedRegion> failed) {
    long now = clock.currentTimeMillis();
    for (HostedRegion region : failed) {
      notices.computeIfPresent(
          region.encodedName(),
          (name, notice) -> {
            if (notice.region() != region) {
              return notice;
            }
            long pause =
                Math.min(PAUSE_MAX_MILLIS, PAUSE_MIN_MILLIS << Math.min(notice.failures(), 5));
            return new Notice(region, -1, notice.failures() + 1, now + pause);
          });
    }
  }
}
