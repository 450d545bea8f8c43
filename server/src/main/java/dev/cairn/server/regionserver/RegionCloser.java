package dev.cairn.server.regionserver;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes regions that the master takes away. Once closing has begun, no call finds the region;
 * calls that have it end first, then it is flushed. A region that cannot be flushed takes the
 * server down: its log has to be replayed elsewhere. Thread-safe.
 */
final class RegionCloser {
  private static final Logger LOG = LoggerFactory.getLogger(RegionCloser.class);

  private final OnlineRegions regions;
  private final OpenScanners scanners;
  private final TransitionReporter reporter;
  private final Executor executor;
  private final Consumer<Throwable> fatal;

  RegionCloser(
      OnlineRegions regions,
      OpenScanners scanners,
      TransitionReporter reporter,
      Executor executor,
      Consumer<Throwable> fatal) {
    this.regions = regions;
    this.scanners = scanners;
    this.reporter = reporter;
    this.executor = executor;
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
  boolean close(
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
    executor.execute(
        () -> {
          if (closeNow(region, destination)) {
            reportClosed(region.info(), cause);
          }
        });
  }

  /** Tells the master that a region is closed, which it may be for long. */
  void reportClosed(RegionInfo region, TransitionReporter.Cause cause) {
    reporter.report(
        TransitionCode.CLOSED,
        region,
        0,
        cause,
        () -> LOG.info("{} is closed", region),
        () -> LOG.warn("The master does not agree that {} is closed", region));
  }

  /** Closes a region that is taken offline already; false if that failed. */
  boolean closeNow(HostedRegion region, Optional<ServerName> destination) {
    try {
      scanners.endAll(Optional.of(region));
      region.upkeep().close(false);
      regions.closed(region, destination, region.upkeep().statistics().flushedSequence());
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.error("Cannot close {}", region, e);
      fatal.accept(e);
      return false;
    }
  }
}
