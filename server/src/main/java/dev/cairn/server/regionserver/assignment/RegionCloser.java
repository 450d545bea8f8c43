package dev.cairn.server.regionserver.assignment;

import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.StorageRetries;
import dev.cairn.server.regionserver.membership.ServerState;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes regions that the master takes away. A region with much in memory is flushed first, while
 * it still serves. Once closing has begun, no call finds the region; running calls end first, then
 * it is flushed. A region that cannot be flushed goes back online and is closed later; if that is
 * hopeless, the server ends, and its log is replayed elsewhere. Thread-safe.
 */
public final class RegionCloser {
  private static final Logger LOG = LoggerFactory.getLogger(RegionCloser.class);

  private final ServerState state;
  private final OnlineRegions regions;
  private final OpenScanners scanners;
  private final TransitionReporter reporter;
  private final Executor executor;
  private final HookedWork hooked;
  private final ScheduledExecutorService timer;
  private final StorageRetries retries;
  private final long preFlushBytes;
  private final Consumer<HostedRegion> closed;
  private final Consumer<Throwable> fatal;

  /** The latest order to close each closing region. A new master repeats orders. */
  private final Map<String, TransitionReporter.Cause> orders = new ConcurrentHashMap<>();

  /** The encoded names of regions that are flushed before they close. */
  private final Set<String> flushing = ConcurrentHashMap.newKeySet();

  /**
   * Creates it.
   *
   * @param hooked closes regions with hooks
   * @param closed receives each region that has closed
   * @param fatal receives the reason why the server must end
   */
  public RegionCloser(
      ServerState state,
      OnlineRegions regions,
      OpenScanners scanners,
      TransitionReporter reporter,
      Executor executor,
      HookedWork hooked,
      ScheduledExecutorService timer,
      StorageRetries retries,
      long preFlushBytes,
      Consumer<HostedRegion> closed,
      Consumer<Throwable> fatal) {
    this.preFlushBytes = preFlushBytes;
    this.closed = closed;
    this.state = state;
    this.timer = timer;
    this.retries = retries;
    this.regions = regions;
    this.scanners = scanners;
    this.reporter = reporter;
    this.executor = executor;
    this.hooked = hooked;
    this.fatal = fatal;
  }

  /**
   * Begins to close a region and returns; the master hears when it is closed. Does nothing if it is
   * closing already, which the master hears as well.
   *
   * @param destination where it goes, if that is known
   * @return false if the region is not here
   * @throws RegionOpeningException if it is on its way in: it is not here yet, and not gone either
   */
  public boolean close(
      String encodedName, Optional<ServerName> destination, TransitionReporter.Cause cause)
      throws RegionOpeningException {
    if (!regions.knows(encodedName)) {
      return false;
    }
    orders.merge(encodedName, cause, TransitionReporter.Cause::later);
    Optional<HostedRegion> large =
        regions
            .get(encodedName)
            .filter(region -> !region.isReplica())
            .filter(region -> region.flushes().memStoreBytes() >= preFlushBytes);
    if (large.isPresent() && !state.isGoingDown()) {
      if (flushing.add(encodedName)) {
        threads(large.get()).execute(() -> flushAndClose(large.get(), destination, cause));
      }
      return true;
    }
    return closeAtOnce(encodedName, destination, cause);
  }

  /** Returns the threads that close a region. */
  public Executor threads(HostedRegion region) {
    return region.isHooked()
        ? hooked.threads(HookedWork.Kind.CLOSING, region.info().table())
        : executor;
  }

  private void flushAndClose(
      HostedRegion region, Optional<ServerName> destination, TransitionReporter.Cause cause) {
    try {
      region.flushes().flush(FlushScope.CLOSING);
    } catch (IOException | RuntimeException e) {
      LOG.info("{} is not flushed before it closes: {}", region, e.toString());
    }
    try {
      if (isStillOpen(region)) {
        closeAtOnce(region.encodedName(), destination, cause);
      }
    } catch (RegionOpeningException e) {
      LOG.info("{} was closed and opened meanwhile", region);
    } finally {
      flushing.remove(region.encodedName());
    }
  }

  /** Tells whether the region is open, and not another instance that was opened after it. */
  private boolean isStillOpen(HostedRegion region) {
    boolean isOpen = regions.get(region.encodedName()).filter(open -> open == region).isPresent();
    if (!isOpen) {
      LOG.info("{} was closed meanwhile", region);
    }
    return isOpen;
  }

  private boolean closeAtOnce(
      String encodedName, Optional<ServerName> destination, TransitionReporter.Cause cause)
      throws RegionOpeningException {
    return switch (regions.beginClosing(encodedName)) {
      case YES -> {
        begin(regions.closing(encodedName), destination, cause);
        yield true;
      }
      case UNDER_WAY -> true;
      case BUSY ->
          throw new RegionOpeningException("Region " + encodedName + " is opening on this server");
      case ALREADY_DONE -> false;
    };
  }

  private void begin(
      HostedRegion region, Optional<ServerName> destination, TransitionReporter.Cause cause) {
    threads(region)
        .execute(
            () -> {
              try {
                closeOnce(region, destination);
                TransitionReporter.Cause latest = orders.remove(region.encodedName());
                reportClosed(region.info(), latest == null ? cause : latest);
              } catch (IOException | RuntimeException e) {
                failed(region, destination, cause, e);
              }
            });
  }

  private void failed(
      HostedRegion region,
      Optional<ServerName> destination,
      TransitionReporter.Cause cause,
      Exception failure) {
    OptionalLong pause = retries.failed(region.encodedName(), failure);
    if (state.isGoingDown()) {
      closeUnflushed(region, failure);
      return;
    }
    if (pause.isEmpty()) {
      LOG.warn("Cannot close {}, and the server cannot go on without it", region, failure);
      fatal.accept(failure);
      return;
    }
    LOG.warn(
        "Cannot close {}, which stays open; will try again after {} ms: {}",
        region,
        pause.getAsLong(),
        failure.getMessage());
    regions.closingFailed(region);
    try {
      timer.schedule(
          () -> closeAgain(region, destination, cause), pause.getAsLong(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.info("{} is closed with the server", region);
    }
  }

  private void closeAgain(
      HostedRegion region, Optional<ServerName> destination, TransitionReporter.Cause cause) {
    try {
      if (!state.isGoingDown() && isStillOpen(region)) {
        close(region.encodedName(), destination, cause);
      }
    } catch (RegionOpeningException e) {
      LOG.info("{} was closed and opened meanwhile", region);
    }
  }

  /** Tells the master that a region is closed, which it may be for long. */
  public void reportClosed(RegionInfo region, TransitionReporter.Cause cause) {
    reporter.report(
        TransitionCode.CLOSED,
        region,
        0,
        cause,
        () -> LOG.info("{} is closed", region),
        () -> LOG.info("The master does not agree that {} is closed", region));
  }

  /**
   * Closes a region that is offline already, because the server ends; false if it could not be
   * flushed, so that the log must be kept.
   */
  public boolean closeNow(HostedRegion region) {
    try {
      closeOnce(region, Optional.empty());
      return true;
    } catch (IOException | RuntimeException e) {
      closeUnflushed(region, e);
      return false;
    }
  }

  private static void closeUnflushed(HostedRegion region, Exception cause) {
    LOG.warn("Cannot flush {}; the log keeps the cells of its memstores", region, cause);
    try {
      region.close(true);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot close {}", region, e);
    }
  }

  private void closeOnce(HostedRegion region, Optional<ServerName> destination) throws IOException {
    scanners.endAll(Optional.of(region));
    region.close(false);
    retries.succeeded(region.encodedName());
    RegionStatistics last = region.figures().statistics();
    // A client believes the new location only if the number is not below the one that it knows.
    regions.closed(region, destination, Math.max(last.openSequence(), last.flushedSequence()));
    closed.accept(region);
  }
}
