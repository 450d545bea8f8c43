package dev.cairn.server.master.assignment;

import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.meta.RegionStateStore;
import dev.cairn.server.master.remote.RegionServerCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the server of a replica take over a region whose server is gone. While the log is recovered,
 * that server opens the region's files, and {@code hbase:meta} already names it. So calls of
 * clients wait there, instead of pausing between attempts. Reads that a replica may answer
 * continue, because HBase's client looks for replicas only if {@code hbase:meta} names a server of
 * the region. The region opens there like any other, with all of its edits; if it cannot, it opens
 * elsewhere. Owned by the loop.
 */
final class Promotions {
  private static final Logger LOG = LoggerFactory.getLogger(Promotions.class);

  /** The time after which a server no longer waits for files that it opens ahead. */
  private static final Duration EXPECT_MAX = Duration.ofSeconds(10);

  private final MasterLoop loop;
  private final RegionStateStore catalog;
  private final RegionPlaces places;
  private final RegionServerCalls calls;

  Promotions(
      MasterLoop loop, RegionStateStore catalog, RegionPlaces places, RegionServerCalls calls) {
    this.loop = loop;
    this.catalog = catalog;
    this.places = places;
    this.calls = calls;
  }

  /**
   * Handles the end of a region's server. If no copy of the region is open, {@code hbase:meta}
   * names no server: clients look there again and again after short pauses, instead of waiting for
   * the answer of a server that may be frozen.
   */
  void lost(RegionStateNode region) {
    region.setHeir(Optional.empty());
    choose(region);
    if (region.successor().isEmpty()
        && region.replicas.stream().noneMatch(replica -> replica.state == State.OPEN)) {
      catalog.write(
          List.of(new CatalogChange.RegionUnreachable(region.region)), Completion.UNHEARD);
    }
  }

  /**
   * Chooses the server that takes a region over, if the region waits for the log of its dead server
   * and no live server is chosen yet.
   */
  void choose(RegionStateNode region) {
    if (region.state != State.ABNORMALLY_CLOSED
        || !region.wantOpen
        || region.successor().filter(places.known()::isReady).isPresent()) {
      return;
    }
    Optional<ServerName> next = places.successor(region);
    AtomicBoolean isWanted = region.setHeir(next);
    if (next.isPresent()) {
      ServerName successor = next.get();
      LOG.info("{} takes over {} from {}", successor, region.region, region.server.orElseThrow());
      catalog.write(
          List.of(new CatalogChange.RegionExpected(region.region, successor)), Completion.UNHEARD);
      expect(region, successor, isWanted);
    }
  }

  private void expect(RegionStateNode region, ServerName successor, AtomicBoolean isWanted) {
    loop.perform(
        Lane.takeovers(successor),
        () -> {
          if (isWanted.get()) { // This request may have waited in its lane.
            calls.expect(successor, region.region, EXPECT_MAX);
          }
          return true;
        },
        done -> {},
        (IOException cause) ->
            LOG.info(
                "{} does not open the files of {} ahead: {}",
                successor,
                region.region,
                cause.toString()));
  }
}
