package dev.cairn.server.master.placement;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to a {@link PlacementRequest}.
 *
 * @param region the region that was placed
 * @param asked why it needed a server
 * @param server the server that it goes to; empty if there is none
 * @param reason why it goes to that server, or to none: a sentence without its full stop
 * @param refused the servers that rules refused, each with the reason; those that were not needed
 *     are not judged
 */
public record PlacementDecision(
    RegionInfo region,
    PlacementReason asked,
    Optional<ServerName> server,
    String reason,
    Map<ServerName, String> refused) {

  /** Tells whether rules alone keep the region from a server. */
  public boolean isRefused() {
    return server.isEmpty() && !refused.isEmpty();
  }
}
