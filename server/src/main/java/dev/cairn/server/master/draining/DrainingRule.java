package dev.cairn.server.master.draining;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.placement.PlacementRequest;
import dev.cairn.server.master.placement.PlacementRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Gives draining servers no regions that they do not have. There are two exceptions, if no other
 * server may have the region. A region opens again at the draining server that had it, or its
 * parents: otherwise its rows would not be served after a split or an alter. The tables that the
 * master needs open at any draining server. Owned by the loop.
 */
public final class DrainingRule implements PlacementRule {
  private final DrainingServers draining;
  private final Set<TableName> needed;
  private final List<PlacementRule> others;

  /**
   * Creates the rule.
   *
   * @param needed the tables that the master needs
   * @param others the rules that decide whether another server may have a region
   */
  public DrainingRule(DrainingServers draining, Set<TableName> needed, List<PlacementRule> others) {
    this.draining = draining;
    this.needed = needed;
    this.others = List.copyOf(others);
  }

  @Override
  public Optional<String> refusal(PlacementRequest request, ServerName server) {
    boolean isAllowed =
        !draining.isDraining(server) || isExempt(request, server) && !isAnyFree(request);
    return isAllowed ? Optional.empty() : Optional.of("is draining");
  }

  private boolean isExempt(PlacementRequest request, ServerName server) {
    return switch (request.reason()) {
      case MOVE, BALANCE -> false;
      case OPEN, RETRY, REPLACEMENT -> request.isAt(server) || isNeeded(request);
      case RECOVERY, PROMOTION -> isNeeded(request);
    };
  }

  private boolean isNeeded(PlacementRequest request) {
    return request.region().replicaId() == 0 && needed.contains(request.region().table());
  }

  private boolean isAnyFree(PlacementRequest request) {
    return request.servers().ready().stream()
        .filter(server -> !draining.isDraining(server))
        .anyMatch(
            server -> others.stream().allMatch(rule -> rule.refusal(request, server).isEmpty()));
  }
}
