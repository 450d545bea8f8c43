package dev.cairn.server.regionserver.assignment;

import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.membership.ServerState;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;

/**
 * Reports open regions whose reads have met a lost block, and replicas that could not be served
 * when they were opened. The master closes such a region, and tries to open it again. {@code
 * hbase:meta} stays open: its other rows are needed to serve all other regions. Thread-safe.
 */
public final class LostRegions {
  /** No master has ordered anything. */
  private static final TransitionReporter.Cause NO_ORDER = new TransitionReporter.Cause(-1, -1);

  private final ServerState state;
  private final OnlineRegions regions;
  private final TransitionReporter reporter;
  private final Executor executor;

  /** The encoded names of regions whose report the master has not answered. */
  private final Set<String> reporting = ConcurrentHashMap.newKeySet();

  public LostRegions(
      ServerState state, OnlineRegions regions, TransitionReporter reporter, Executor executor) {
    this.state = state;
    this.regions = regions;
    this.reporter = reporter;
    this.executor = executor;
  }

  /** Reports a region if it is open and not being reported. Does not block. */
  public void report(String encodedName) {
    Optional<HostedRegion> open =
        regions.get(encodedName).filter(region -> !region.info().isMeta());
    if (open.isPresent() && !state.isGoingDown() && reporting.add(encodedName)) {
      executor.execute(() -> report(open.get()));
    }
  }

  private void report(HostedRegion region) {
    Runnable answered = () -> reporting.remove(region.encodedName());
    reporter.report(TransitionCode.FAILED_OPEN, region.info(), 0, NO_ORDER, answered, answered);
  }
}
