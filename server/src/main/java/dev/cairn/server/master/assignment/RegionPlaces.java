package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.placement.KnownServers;
import dev.cairn.server.master.placement.Placement;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRequest;
import dev.cairn.server.master.remote.OnlineServers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;

/**
 * Decides where regions open, with the present facts about servers. Changes nothing. Owned by the
 * loop.
 */
final class RegionPlaces {
  private final Placement placement;
  private final OnlineServers servers;
  private final KnownServers known;

  RegionPlaces(Placement placement, OnlineServers servers, KnownServers known) {
    this.placement = placement;
    this.servers = servers;
    this.known = known;
  }

  /** Returns the servers that may get regions, with the facts about them. */
  KnownServers known() {
    return known;
  }

  /** Returns a request for a server for a region, with the present facts. */
  PlacementRequest request(RegionStateNode node, PlacementReason reason) {
    return new PlacementRequest(
        node.region, reason, node.server, Optional.empty(), node.failures, known);
  }

  private PlacementDecision promote(RegionStateNode node, ServerName successor) {
    return placement.place(request(node, PlacementReason.PROMOTION).at(successor));
  }

  /**
   * Returns the server of a replica that may take the region over. If there are several, chooses
   * the replica that has the most changes of the region; among equals, the server with the fewest
   * regions, and then the first by name.
   */
  Optional<ServerName> successor(RegionStateNode node) {
    if (node.isMeta()) {
      return Optional.empty(); // hbase:meta cannot record its own successor.
    }
    return node.replicas.stream()
        .filter(replica -> replica.state == State.OPEN && replica.wantOpen)
        .filter(replica -> promote(node, replica.server.orElseThrow()).server().isPresent())
        .min(
            Comparator.<RegionStateNode>comparingLong(replica -> -replayed(replica))
                .thenComparingInt(replica -> known.regionCount(replica.server.orElseThrow()))
                .thenComparing(replica -> replica.server.orElseThrow()))
        .flatMap(replica -> replica.server);
  }

  private long replayed(RegionStateNode replica) {
    return known.replayedSequence(replica.server.orElseThrow(), replica.region);
  }

  /** Decides where a region goes. */
  PlacementDecision place(PlacementRequest request) {
    return placement.place(request);
  }

  /**
   * Decides where a region opens: at the server of the replica that takes it over, else at the
   * server to which it is being moved, else where the rules allow it.
   */
  PlacementDecision decide(RegionStateNode node) {
    Optional<ServerName> successor = node.successor();
    if (successor.isEmpty() && isLost(node)) {
      successor = successor(node); // An earlier master may have sent clients there.
    }
    if (successor.isPresent()) {
      PlacementDecision promotion = promote(node, successor.get());
      if (promotion.server().isPresent()) {
        return promotion;
      }
    }
    if (node.move.isPresent()) {
      PlacementDecision move = node.move.get();
      PlacementRequest request = request(node, move.asked()).at(move.server().orElseThrow());
      if (placement.place(request).server().isPresent()) {
        return move;
      }
    }
    PlacementReason reason = PlacementReason.OPEN;
    if (node.failures > 0) {
      reason = PlacementReason.RETRY;
    } else if (isLost(node)) {
      reason = PlacementReason.RECOVERY;
    }
    return placement.place(request(node, reason));
  }

  private boolean isLost(RegionStateNode node) {
    return node.server.filter(server -> !servers.isLive(server)).isPresent();
  }

  /**
   * Returns the server of a region, if it lives and may have all the regions that take the region's
   * place.
   */
  Optional<ServerName> serverForHeirs(RegionStateNode node, List<RegionInfo> heirs) {
    return node.server.filter(server -> heirs.stream().allMatch(heir -> mayTakeOver(server, heir)));
  }

  private boolean mayTakeOver(ServerName server, RegionInfo heir) {
    Optional<ServerName> there = Optional.of(server);
    PlacementRequest request =
        new PlacementRequest(heir, PlacementReason.REPLACEMENT, there, there, 0, known);
    return placement.place(request).server().isPresent();
  }
}
