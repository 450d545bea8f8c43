package dev.cairn.server.master.draining;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks whether regions can leave several servers that drain at the same time. */
public final class OffloadCheck {
  private OffloadCheck() {}

  /**
   * Returns why the regions of some table cannot leave the servers: each other server with the
   * reason why it may not have them. Empty if all regions can leave.
   *
   * @param leaving the servers that are to drain
   */
  public static Optional<String> obstacle(Assignments assignments, Collection<ServerName> leaving) {
    List<ServerName> others =
        assignments.servers().ready().stream().filter(one -> !leaving.contains(one)).toList();
    Set<TableName> checked = new HashSet<>(); // Rules treat the regions of a table alike.
    return Stream.concat(assignments.all().stream(), assignments.replicas().stream())
        .filter(node -> node.isHosted() && node.isWantedOpen())
        .filter(node -> node.server().filter(leaving::contains).isPresent())
        .filter(node -> checked.add(node.region().table()))
        .flatMap(node -> obstacle(assignments, node, others).stream())
        .findFirst();
  }

  private static Optional<String> obstacle(
      Assignments assignments, RegionStateNode node, List<ServerName> others) {
    PlacementRequest request = assignments.request(node, PlacementReason.MOVE);
    List<String> refused = new ArrayList<>();
    for (ServerName other : others) {
      // One server at a time: the rules could choose a server that is about to drain.
      PlacementDecision decision = assignments.place(request.at(other));
      if (decision.server().isPresent()) {
        return Optional.empty();
      }
      decision.refused().forEach((server, why) -> refused.add(server + " " + why));
    }
    return Optional.of(String.join("; ", refused));
  }
}
