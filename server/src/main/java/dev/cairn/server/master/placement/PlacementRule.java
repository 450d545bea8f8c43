package dev.cairn.server.master.placement;

import dev.cairn.server.catalog.ServerName;
import java.util.Optional;

/**
 * Excludes servers from getting a region. {@link RulePlacement} applies a list of rules to every
 * request; a server gets a region only if no rule refuses it. A region that all servers are refused
 * for is placed again after a pause.
 *
 * <p>A refusal must follow from the request and from state that the loop owns. Called by the loop's
 * owner, often; does not wait.
 */
@FunctionalInterface
public interface PlacementRule {
  /**
   * Returns why {@code server} may not get the region, as the end of a sentence about the server:
   * "is draining". Empty if the rule allows it.
   */
  Optional<String> refusal(PlacementRequest request, ServerName server);
}
