package dev.cairn.server.master.placement;

import dev.cairn.server.catalog.ServerName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Places regions among the servers that no rule excludes. A region opens again where it was, for
 * the blocks that are cached there, or at the same address if its server was restarted, for its
 * files. After a failed opening, it goes elsewhere if it can. Otherwise, it goes to the server with
 * the fewest regions; among equals, to the first by name.
 */
public final class RulePlacement implements Placement {
  private final List<PlacementRule> rules;
  private final boolean retains;

  /**
   * Creates it.
   *
   * @param rules exclude servers
   * @param retains whether a region returns to the address of a server that was restarted
   */
  public RulePlacement(List<PlacementRule> rules, boolean retains) {
    this.rules = List.copyOf(rules);
    this.retains = retains;
  }

  @Override
  public PlacementDecision place(PlacementRequest request) {
    if (request.target().isPresent()) {
      return placeAt(request, request.target().get());
    }
    Optional<ServerName> last = request.server().filter(request.servers()::isReady);
    boolean stays = !request.reason().leavesServer() && request.failures() == 0;
    if (stays && last.isPresent() && refusal(request, last.get()).isEmpty()) {
      return decision(request, last, "it was there before", Map.of());
    }
    Optional<ServerName> restarted =
        stays && retains && last.isEmpty() ? restarted(request) : Optional.empty();
    if (restarted.isPresent() && refusal(request, restarted.get()).isEmpty()) {
      return decision(request, restarted, "it was there before its server restarted", Map.of());
    }
    return placeAnywhere(request);
  }

  /** Returns the server that has the address of the region's last one since. */
  private static Optional<ServerName> restarted(PlacementRequest request) {
    return request
        .server()
        .flatMap(
            last ->
                request.servers().ready().stream()
                    .filter(server -> server.isLaterLifeOf(last))
                    .findFirst());
  }

  private PlacementDecision placeAt(PlacementRequest request, ServerName target) {
    if (!request.servers().isReady(target)) {
      return none(request, "No region server " + target + " is alive", Map.of());
    }
    Optional<String> refusal = refusal(request, target);
    if (refusal.isPresent()) {
      return none(
          request,
          "The region server " + target + " " + refusal.get(),
          Map.of(target, refusal.get()));
    }
    String reason =
        request.reason() == PlacementReason.PROMOTION
            ? "a replica of it was there"
            : "it was to be there";
    return decision(request, Optional.of(target), reason, Map.of());
  }

  private PlacementDecision placeAnywhere(PlacementRequest request) {
    List<ServerName> ready = request.servers().ready();
    List<ServerName> allowed = new ArrayList<>();
    Map<ServerName, String> refused = new LinkedHashMap<>();
    for (ServerName server : ready) {
      if (request.reason().leavesServer() && request.isAt(server)) {
        continue;
      }
      Optional<String> refusal = refusal(request, server);
      if (refusal.isPresent()) {
        refused.put(server, refusal.get());
      } else {
        allowed.add(server);
      }
    }
    if (allowed.isEmpty()) {
      return none(request, whyNone(ready, refused), refused);
    }
    boolean elsewhere = request.failures() > 0 && allowed.size() > 1;
    ServerName best = null;
    for (ServerName server : allowed) {
      if (elsewhere && request.isAt(server)) {
        continue;
      }
      if (best == null
          || request.servers().regionCount(server) < request.servers().regionCount(best)) {
        best = server;
      }
    }
    String reason =
        "it had the fewest regions, "
            + request.servers().regionCount(best)
            + (elsewhere ? ", apart from the server where the opening failed" : "");
    return decision(request, Optional.of(best), reason, refused);
  }

  private Optional<String> refusal(PlacementRequest request, ServerName server) {
    for (PlacementRule rule : rules) {
      Optional<String> refusal = rule.refusal(request, server);
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  private static String whyNone(List<ServerName> ready, Map<ServerName, String> refused) {
    if (ready.isEmpty()) {
      return "No region server is ready";
    }
    if (refused.isEmpty()) {
      return "There is no other region server";
    }
    return refused.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining("; ", "No region server may have it: ", ""));
  }

  private static PlacementDecision none(
      PlacementRequest request, String reason, Map<ServerName, String> refused) {
    return decision(request, Optional.empty(), reason, refused);
  }

  private static PlacementDecision decision(
      PlacementRequest request,
      Optional<ServerName> server,
      String reason,
      Map<ServerName, String> refused) {
    return new PlacementDecision(request.region(), request.reason(), server, reason, refused);
  }
}
