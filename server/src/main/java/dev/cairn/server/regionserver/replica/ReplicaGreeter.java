package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.replica.ReceivedMessages.Greeting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the servers of regions that replicas of these regions have been opened here, and repeats
 * such a greeting until it is answered. A newly opened replica lacks the changes in its region's
 * memory, and refuses reads until it has them. {@link #check} is for one thread at a time.
 */
public final class ReplicaGreeter {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaGreeter.class);

  /** The time between two looks for replicas. */
  public static final long CHECK_MILLIS = 200;

  private static final long PAUSE_MILLIS = 2_000;

  /** The end of the refusal of version 0.1.0, which takes a greeting for a notice to a replica. */
  private static final String EARLIER_REFUSAL = " is no replica";

  private final ServerName self;
  private final OnlineRegions regions;
  private final ReplicaLink link;
  private final ReplicaSender local;
  private final Clock clock;

  /** The last greeting for each waiting replica, by encoded name. */
  private final Map<String, Greeted> greeted = new ConcurrentHashMap<>();

  private record Greeted(HostedRegion replica, long millis) {}

  /**
   * Creates it.
   *
   * @param self this server
   * @param local sends the changes of the regions at this server
   */
  public ReplicaGreeter(
      ServerName self, OnlineRegions regions, ReplicaLink link, ReplicaSender local, Clock clock) {
    this.self = self;
    this.regions = regions;
    this.link = link;
    this.local = local;
    this.clock = clock;
  }

  private boolean isWaiting(HostedRegion region) {
    return region.replica().isPresent() && region.replica().get().awaitsRegion();
  }

  private boolean isDue(HostedRegion region, long nowMillis) {
    Greeted last = greeted.get(region.encodedName());
    return last == null || last.replica() != region || nowMillis - last.millis() >= PAUSE_MILLIS;
  }

  /** Tells whether a greeting is due. Does not block. */
  public boolean isDue() {
    long now = clock.currentTimeMillis();
    for (HostedRegion region : regions.open()) {
      if (region.isReplica() && isWaiting(region) && isDue(region, now)) {
        return true;
      }
    }
    return false;
  }

  /** Sends the greetings that are due. */
  public void check() {
    long now = clock.currentTimeMillis();
    Map<String, Greeted> waiting = new LinkedHashMap<>();
    Map<ServerName, List<HostedRegion>> byServer = new LinkedHashMap<>();
    for (HostedRegion region : regions.open()) {
      if (!region.isReplica() || !isWaiting(region)) {
        continue;
      }
      Greeted last = greeted.get(region.encodedName());
      if (!isDue(region, now)) {
        waiting.put(region.encodedName(), last);
        continue;
      }
      waiting.put(region.encodedName(), new Greeted(region, now));
      try {
        Optional<ServerName> server = link.locateRegion(region.info().replica(0));
        server.ifPresent(
            place -> byServer.computeIfAbsent(place, none -> new ArrayList<>()).add(region));
      } catch (IOException e) {
        LOG.debug("The region of {} cannot be located: {}", region, e.toString());
      }
    }
    greeted.keySet().retainAll(waiting.keySet());
    greeted.putAll(waiting);
    byServer.forEach(this::greet);
  }

  private void greet(ServerName server, List<HostedRegion> replicas) {
    List<RegionInfo> infos = replicas.stream().map(HostedRegion::info).toList();
    try {
      if (server.equals(self)) {
        local.greeted(
            infos.stream()
                .map(info -> new Greeting(info.replica(0).encodedName(), info.replicaId()))
                .toList());
      } else {
        link.greet(server, infos);
      }
    } catch (IOException e) {
      if (isOfEarlierVersion(e)) {
        LOG.info(
            "{} does not send logged changes to {} replicas: {}",
            server,
            infos.size(),
            e.toString());
        replicas.forEach(region -> region.replica().ifPresent(replica -> replica.heard(0)));
      } else {
        LOG.debug("{} could not be told of {} replicas: {}", server, infos.size(), e.toString());
      }
    }
  }

  /** Tells whether a refusal comes from a server of version 0.1.0, which does not send its log. */
  private static boolean isOfEarlierVersion(IOException refusal) {
    return refusal instanceof DoNotRetryIOException
        && refusal.getMessage() != null
        && refusal.getMessage().endsWith(EARLIER_REFUSAL);
  }
}
