package dev.cairn.torture.cluster;

import dev.cairn.server.regionserver.RegionServer;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.torture.scheduler.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Looks again and again for a region that two servers have open, {@code hbase:meta} included. A
 * server counts while it may answer: it runs or is frozen, has not aborted, and its lease lasts. A
 * server whose address has gone to another machine does not count, since no client reaches it.
 */
final class OwnerCheck {
  private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

  private final ClusterWorld world;
  private final Scheduler scheduler;

  OwnerCheck(ClusterWorld world) {
    this.world = world;
    this.scheduler = world.parts().scheduler();
  }

  /** Begins to look. */
  void start() {
    scheduler.after(
        PERIOD_NANOS,
        () -> {
          look();
          start();
        });
  }

  /** Looks once. */
  void look() {
    Map<String, RegionServerProcess> owners = new HashMap<>(); // never iterated
    for (RegionServerProcess process : world.servers()) {
      Optional<RegionServer> server = process.answering();
      if (server.isEmpty()) {
        continue;
      }
      for (HostedRegion region : server.get().regions().open()) {
        if (region.isReplica()) {
          continue; // It owns nothing, and may go on at a server that was given up.
        }
        RegionServerProcess other = owners.put(region.encodedName(), process);
        if (other != null) {
          world
              .parts()
              .failures()
              .add(
                  "%s is open on %s and on %s at %.3f s"
                      .formatted(
                          region.info(),
                          other.name(),
                          process.name(),
                          scheduler.nanos() / (double) Duration.ofSeconds(1).toNanos()));
        }
      }
    }
  }
}
