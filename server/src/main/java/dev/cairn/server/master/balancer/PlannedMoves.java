package dev.cairn.server.master.balancer;

import dev.cairn.server.master.balancer.BalancePlan.Move;
import dev.cairn.server.master.placement.PlacementDecision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The moves of a plan so far: at most one for each region.
 *
 * <p>A search may move a region in several steps. They count as one move, from the region's server
 * in the snapshot to the last one, and as none if these are the same. Not thread-safe.
 */
final class PlannedMoves {
  private final PlannedCluster cluster;
  private final Map<Integer, Hop> hops = new LinkedHashMap<>();
  private int loadCount;

  /** The last step of a region. */
  private record Hop(PlacementDecision decision, boolean isRequired, boolean isForLoad) {}

  PlannedMoves(PlannedCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Moves a region in the cluster: one step.
   *
   * @param asked the answer of the rules; it has a server
   * @param reason why; the move keeps the reason of an earlier step that a rule required
   * @param isRequired whether a rule requires it; the move is required if any of its steps is
   * @param isForLoad whether it is made for processor time; the move is if any of its steps is
   */
  void make(
      int region,
      int to,
      PlacementDecision asked,
      String reason,
      boolean isRequired,
      boolean isForLoad) {
    Hop before = hops.remove(region);
    loadCount -= before != null && before.isForLoad() ? 1 : 0;
    cluster.move(region, to);
    if (to == cluster.origin(region)) {
      return;
    }
    boolean wasRequired = before != null && before.isRequired();
    PlacementDecision decision =
        new PlacementDecision(
            asked.region(),
            asked.asked(),
            asked.server(),
            wasRequired ? before.decision().reason() : reason,
            asked.refused());
    Hop now =
        new Hop(
            decision, isRequired || wasRequired, isForLoad || before != null && before.isForLoad());
    loadCount += now.isForLoad() ? 1 : 0;
    hops.put(region, now);
  }

  /** Returns how many regions move for processor time. */
  int loadCount() {
    return loadCount;
  }

  /** Returns the moves, in the order of the last step of each. */
  List<Move> list() {
    List<Move> moves = new ArrayList<>();
    hops.forEach(
        (region, hop) ->
            moves.add(
                new Move(
                    cluster.region(region).info(),
                    cluster.server(cluster.origin(region)),
                    hop.decision(),
                    hop.isRequired(),
                    hop.isForLoad())));
    return moves;
  }
}
