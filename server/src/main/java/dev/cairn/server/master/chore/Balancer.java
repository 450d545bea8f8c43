package dev.cairn.server.master.chore;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.chore.PlannedMoves.Move;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceResponse;

/**
 * Gives every server the same number of regions, with as few moves as possible, as far as the
 * placement allows. Called by the loop's owner.
 */
public final class Balancer {
  private Balancer() {}

  /** Plans and begins moves, unless the switch is off or regions are on their way. */
  public static BalanceResponse run(
      Assignments assignments, Switches switches, BalanceRequest request) {
    return run(assignments, switches, request, node -> true);
  }

  /** As the other method, for some of the regions only. */
  public static BalanceResponse run(
      Assignments assignments,
      Switches switches,
      BalanceRequest request,
      Predicate<RegionStateNode> which) {
    boolean busy =
        assignments.all().stream().filter(which).anyMatch(RegionStateNode::isInTransition);
    if (!switches.isOn(Switches.Switch.BALANCER) || (busy && !request.getIgnoreRit())) {
      return BalanceResponse.newBuilder().setBalancerRan(false).build();
    }
    List<RegionStateNode> movable =
        assignments.all().stream()
            .filter(which)
            .filter(node -> !node.region().table().isMeta() && node.state() == State.OPEN)
            .toList();
    List<Move> moves = plan(assignments, movable);
    if (!request.getDryRun()) {
      for (Move move : moves) {
        assignments.move(move.node(), move.decision(), Completion.of(() -> {}, cause -> {}));
      }
    }
    return BalanceResponse.newBuilder()
        .setBalancerRan(true)
        .setMovesCalculated(moves.size())
        .setMovesExecuted(request.getDryRun() ? 0 : moves.size())
        .build();
  }

  /**
   * Returns the moves after which the servers' numbers of regions differ by one at most. They
   * differ by more if the placement refuses servers.
   */
  private static List<Move> plan(Assignments assignments, List<RegionStateNode> movable) {
    PlannedMoves planned = new PlannedMoves(assignments.servers(), movable);
    Optional<Move> next = next(assignments, planned);
    while (next.isPresent()) {
      planned.add(next.get());
      next = next(assignments, planned);
    }
    return planned.all();
  }

  private static Optional<Move> next(Assignments assignments, PlannedMoves planned) {
    List<ServerName> servers = planned.fullestFirst();
    for (ServerName full : servers) {
      int most = planned.regionCount(full);
      if (most - planned.regionCount(servers.get(servers.size() - 1)) < 2) {
        break;
      }
      for (RegionStateNode node : planned.lastFirst(full)) {
        if (planned.isMoved(node)) {
          continue;
        }
        PlacementDecision decision =
            assignments.place(assignments.request(node, PlacementReason.BALANCE).among(planned));
        if (decision.server().filter(to -> most - planned.regionCount(to) >= 2).isPresent()) {
          return Optional.of(new Move(node, decision));
        }
      }
    }
    return Optional.empty();
  }
}
