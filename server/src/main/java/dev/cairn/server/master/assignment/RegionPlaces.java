package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.placement.KnownServers;
import dev.cairn.server.master.placement.Placement;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRequest;
import dev.cairn.server.master.remote.OnlineServers;
import java.util.List;
import java.util.Optional;

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

  /** Decides where a region goes. */
  PlacementDecision place(PlacementRequest request) {
    return placement.place(request);
  }

  /** Decides where a region opens now. Prefers the server that it is moved to. */
  PlacementDecision decide(RegionStateNode node) {
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
    } else if (node.server.isPresent() && !servers.isLive(node.server.get())) {
      reason = PlacementReason.RECOVERY;
    }
    return placement.place(request(node, reason));
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
