package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the servers of regions for flushes if replicas here hold too much memory. Only a flush of
 * its region frees the memory of a replica, and a region that takes no writes is not flushed for a
 * long time. {@link #check} is for one thread at a time.
 */
public final class ReplicaFlushes {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaFlushes.class);

  /** The time between two looks at the replicas. */
  public static final long CHECK_MILLIS = 1_000;

  /** The time after which a flush is asked for again. */
  private static final long PAUSE_MILLIS = 10_000;

  private final ServerName self;
  private final Supplier<List<HostedRegion>> large;
  private final ReplicaLink link;
  private final ReplicaSender local;
  private final Clock clock;

  /** When a flush was last asked for, by the encoded name of the replica. */
  private final Map<String, Long> asked = new ConcurrentHashMap<>();

  /**
   * Creates it.
   *
   * @param self this server
   * @param large returns the replicas whose regions should be flushed
   * @param local flushes the regions at this server
   */
  public ReplicaFlushes(
      ServerName self,
      Supplier<List<HostedRegion>> large,
      ReplicaLink link,
      ReplicaSender local,
      Clock clock) {
    this.self = self;
    this.large = large;
    this.link = link;
    this.local = local;
    this.clock = clock;
  }

  private boolean isDue(HostedRegion replica, long nowMillis) {
    Long last = asked.get(replica.encodedName());
    return last == null || nowMillis - last >= PAUSE_MILLIS;
  }

  /** Tells whether a flush is to be asked for. Does not block. */
  public boolean isDue() {
    long now = clock.currentTimeMillis();
    return large.get().stream().anyMatch(replica -> isDue(replica, now));
  }

  /** Asks for the flushes that are due. */
  public void check() {
    long now = clock.currentTimeMillis();
    asked.values().removeIf(last -> now - last >= PAUSE_MILLIS);
    Map<ServerName, List<RegionInfo>> byServer = new LinkedHashMap<>();
    for (HostedRegion replica : large.get()) {
      if (isDue(replica, now)) {
        asked.put(replica.encodedName(), now);
        server(replica)
            .ifPresent(
                place ->
                    byServer.computeIfAbsent(place, none -> new ArrayList<>()).add(replica.info()));
      }
    }
    byServer.forEach(this::ask);
  }

  private Optional<ServerName> server(HostedRegion replica) {
    try {
      return link.locateRegion(replica.info().replica(0));
    } catch (IOException e) {
      LOG.debug("The region of {} cannot be located: {}", replica, e.toString());
      return Optional.empty();
    }
  }

  private void ask(ServerName server, List<RegionInfo> replicas) {
    LOG.info("{} replicas hold too much memory; asking {} for flushes", replicas.size(), server);
    try {
      if (server.equals(self)) {
        local.flushAsked(
            replicas.stream().map(replica -> replica.replica(0).encodedName()).toList());
      } else {
        link.askForFlushes(server, replicas);
      }
    } catch (IOException e) {
      LOG.info("{} has not accepted the requests for flushes: {}", server, e.toString());
    }
  }
}
