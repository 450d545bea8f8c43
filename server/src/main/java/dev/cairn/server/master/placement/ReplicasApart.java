package dev.cairn.server.master.placement;

import dev.cairn.server.catalog.ServerName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps the replicas of a region at different servers. A server that has a copy of the region gets
 * another one only if all other servers have one, too, or are refused by other rules: a replica
 * beside its region is better than none. An administrator may move a region or a replica beside
 * another copy, and a region whose server is gone opens beside a replica; the copy with the higher
 * number then leaves.
 */
public final class ReplicasApart implements PlacementRule {
  private final List<PlacementRule> others;

  private ReplicasApart(List<PlacementRule> others) {
    this.others = others;
  }

  /** Returns {@code rules} and this rule. */
  public static List<PlacementRule> with(List<PlacementRule> rules) {
    List<PlacementRule> all = new ArrayList<>(rules);
    all.add(new ReplicasApart(List.copyOf(rules)));
    return all;
  }

  @Override
  public Optional<String> refusal(PlacementRequest request, ServerName server) {
    if (mayJoin(request)) {
      return Optional.empty();
    }
    Set<ServerName> taken =
        request.servers().othersOf(request.region()).collect(Collectors.toSet());
    if (!taken.contains(server)) {
      return Optional.empty();
    }
    boolean isAnyFree =
        request.servers().ready().stream()
            .filter(other -> !taken.contains(other))
            .anyMatch(other -> others.stream().allMatch(rule -> allows(rule, request, other)));
    return isAnyFree ? Optional.of("has another replica of the region") : Optional.empty();
  }

  private static boolean mayJoin(PlacementRequest request) {
    return request.reason() == PlacementReason.PROMOTION
        || request.reason() == PlacementReason.MOVE && request.target().isPresent();
  }

  private static boolean allows(PlacementRule rule, PlacementRequest request, ServerName server) {
    return rule.refusal(request, server).isEmpty();
  }
}
