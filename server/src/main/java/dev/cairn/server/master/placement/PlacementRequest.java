package dev.cairn.server.master.placement;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import java.util.Optional;

/**
 * Asks for a server for one region.
 *
 * @param region the region
 * @param reason why it needs a server
 * @param server the server that has the region or had it last; empty if none had
 * @param target the only server that is wanted; empty if any server may be chosen
 * @param failures the failed openings since the region was last open
 * @param servers the servers, with the facts about them
 */
public record PlacementRequest(
    RegionInfo region,
    PlacementReason reason,
    Optional<ServerName> server,
    Optional<ServerName> target,
    int failures,
    KnownServers servers) {

  /** Returns the same request for one server only. */
  public PlacementRequest at(ServerName wanted) {
    return new PlacementRequest(region, reason, server, Optional.of(wanted), failures, servers);
  }

  /** Returns the same request with other knowledge of the servers. */
  public PlacementRequest among(KnownServers others) {
    return new PlacementRequest(region, reason, server, target, failures, others);
  }

  /** Tells whether {@code other} has the region or had it last. */
  public boolean isAt(ServerName other) {
    return server.isPresent() && server.get().equals(other);
  }
}
