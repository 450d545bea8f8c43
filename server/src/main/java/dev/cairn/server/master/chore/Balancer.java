package dev.cairn.server.master.chore;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceResponse;

/**
 * Gives every server the same number of regions, with as few moves as possible. Called by the
 * loop's owner.
 */
public final class Balancer {
  private Balancer() {}

  /**
   * One move.
   *
   * @param node the region
   * @param target its new server
   */
  record Move(RegionStateNode node, ServerName target) {}

  /** Plans and begins moves, unless the switch is off or regions are on their way. */
  public static BalanceResponse run(
      Assignments assignments, Switches switches, Set<ServerName> servers, BalanceRequest request) {
    boolean busy = assignments.all().stream().anyMatch(RegionStateNode::isInTransition);
    if (!switches.isOn(Switches.Switch.BALANCER) || (busy && !request.getIgnoreRit())) {
      return BalanceResponse.newBuilder().setBalancerRan(false).build();
    }
    List<RegionStateNode> movable =
        assignments.all().stream()
            .filter(node -> !node.region().table().isMeta() && node.state() == State.OPEN)
            .toList();
    List<Move> moves = plan(movable, servers);
    if (!request.getDryRun()) {
      for (Move move : moves) {
        assignments.move(move.node(), move.target(), Completion.of(() -> {}, cause -> {}));
      }
    }
    return BalanceResponse.newBuilder()
        .setBalancerRan(true)
        .setMovesCalculated(moves.size())
        .setMovesExecuted(request.getDryRun() ? 0 : moves.size())
        .build();
  }

  /** Returns the moves after which the servers' numbers of regions differ by one at most. */
  static List<Move> plan(List<RegionStateNode> regions, Set<ServerName> servers) {
    Map<ServerName, Deque<RegionStateNode>> hosted = new HashMap<>();
    servers.forEach(server -> hosted.put(server, new ArrayDeque<>()));
    for (RegionStateNode node : regions) {
      node.server().map(hosted::get).ifPresent(there -> there.add(node));
    }
    List<Move> moves = new ArrayList<>();
    Comparator<ServerName> bySize =
        Comparator.<ServerName>comparingInt(server -> hosted.get(server).size())
            .thenComparing(Comparator.naturalOrder());
    while (hosted.size() > 1) {
      ServerName most = hosted.keySet().stream().max(bySize).orElseThrow();
      ServerName least = hosted.keySet().stream().min(bySize).orElseThrow();
      if (hosted.get(most).size() - hosted.get(least).size() < 2) {
        break;
      }
      RegionStateNode node = hosted.get(most).removeLast();
      hosted.get(least).addFirst(node);
      moves.add(new Move(node, least));
    }
    return moves;
  }
}
