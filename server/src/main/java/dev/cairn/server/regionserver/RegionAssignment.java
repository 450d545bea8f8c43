package dev.cairn.server.regionserver;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.assignment.LostRegions;
import dev.cairn.server.regionserver.assignment.RegionCloser;
import dev.cairn.server.regionserver.assignment.RegionOpener;
import dev.cairn.server.regionserver.assignment.TransitionReporter;
import dev.cairn.server.regionserver.assignment.WarmRegions;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens and closes the regions of a server, and reports it to the master. */
final class RegionAssignment {
  private static final Logger LOG = LoggerFactory.getLogger(RegionAssignment.class);
  private static final long HOOKED_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final OnlineRegions regions;
  private final Clock clock;
  private final LostRegions lost;
  private final RegionOpener opener;
  private final RegionCloser closer;
  private final WarmRegions warmRegions;

  /** Creates the assignment of a server without regions. */
  RegionAssignment(
      SharedParts shared,
      ClientState clients,
      Maintenance maintenance,
      QuotaEnforcement quotas,
      ServerReports reports) {
    RegionServerExecutors executors = shared.executors();
    this.regions = shared.regions();
    this.clock = shared.clock();
    Executor closings = executors.closings();
    this.warmRegions = new WarmRegions(executors.chores(), executors.timer());
    TransitionReporter transitions =
        new TransitionReporter(
            shared.state(), shared.master(), executors.reports(), executors.timer());
    this.lost = new LostRegions(shared.state(), regions, transitions, executors.reports());
    this.closer =
        new RegionCloser(
            shared.state(),
            regions,
            clients.scanners(),
            transitions.on(closings),
            closings,
            executors.hooked(),
            executors.timer(),
            maintenance.retries(),
            shared.config().get(MaintenanceSettings.PRE_FLUSH_BYTES),
            reports.times()::closed,
            shared.fatal());
    this.opener =
        new RegionOpener(
            shared.state(),
            regions,
            new LayeredRegionFactory(shared, maintenance, quotas, reports.times()),
            shared.context().files().descriptors(),
            clients.nonces()::recovered,
            transitions,
            executors.openings(),
            executors.hooked(),
            executors.timer(),
            maintenance.compactions()::opened,
            shared.fatal());
  }

  /** Returns the reporter of regions that have lost a block. */
  LostRegions lost() {
    return lost;
  }

  /** Returns the opener of regions that the master gives to the server. */
  RegionOpener opener() {
    return opener;
  }

  /** Returns the closer of regions that the master takes from the server. */
  RegionCloser closer() {
    return closer;
  }

  /** Returns the regions that the server has read before it gets them. */
  WarmRegions warmRegions() {
    return warmRegions;
  }

  /**
   * Closes the open regions, as many at a time as there are threads for closings, and waits for
   * them. Waits a minute at most for the regions with coprocessors: a hook may not return, or wait
   * for a region of this server that has closed.
   *
   * @throws IOException if not all are closed and flushed
   */
  void closeAll() throws IOException {
    long deadline = clock.nanoTime() + HOOKED_NANOS;
    List<CompletableFuture<Boolean>> closing = new ArrayList<>();
    Map<HostedRegion, CompletableFuture<Boolean>> hooked = new LinkedHashMap<>();
    for (HostedRegion region : regions.open()) {
      if (regions.beginClosing(region.encodedName()) == OnlineRegions.Begun.YES) {
        CompletableFuture<Boolean> closed =
            CompletableFuture.supplyAsync(() -> closer.closeNow(region), closer.threads(region));
        if (region.coprocessors().isEmpty()) {
          closing.add(closed);
        } else {
          hooked.put(region, closed);
        }
      }
    }
    boolean all = true;
    for (CompletableFuture<Boolean> one : closing) {
      all &= clock.join(one);
    }
    for (Map.Entry<HostedRegion, CompletableFuture<Boolean>> one : hooked.entrySet()) {
      all &= isClosed(one.getKey(), one.getValue(), deadline);
    }
    if (!all) {
      throw new IOException(
          "Some regions could not be flushed; the log keeps their unflushed writes");
    }
  }

  private boolean isClosed(
      HostedRegion region, CompletableFuture<Boolean> closing, long deadlineNanos) {
    try {
      if (clock.await(closing, Math.max(0, deadlineNanos - clock.nanoTime()))) {
        return closing.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LOG.warn("The server stops without {}, in which a hook has not returned", region);
    return false;
  }
}
