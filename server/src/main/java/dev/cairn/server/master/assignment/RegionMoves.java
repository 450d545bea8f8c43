package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Remembers the latest moves of regions since the master leads. Owned by the loop. */
public final class RegionMoves {
  private static final int COUNT_MAX = 1_000;

  /**
   * A move of a region from one server to another.
   *
   * @param sinceMillis when the move began, milliseconds since 1970
   * @param endMillis when the region was open again
   */
  public record RegionMove(
      RegionInfo region, ServerName from, ServerName to, long sinceMillis, long endMillis) {}

  /** Oldest first. */
  private final Deque<RegionMove> moves = new ArrayDeque<>();

  /** Records the move of a region that has reached its goal, if it moved. */
  void settled(RegionStateNode node, long nowMillis) {
    if (node.transition.isPresent() && node.openServer().isPresent()) {
      RegionTransition transition = node.transition.get();
      ServerName now = node.openServer().get();
      transition
          .from()
          .filter(before -> !before.equals(now))
          .ifPresent(
              before ->
                  add(
                      new RegionMove(
                          node.region, before, now, transition.sinceMillis(), nowMillis)));
    }
  }

  private void add(RegionMove move) {
    moves.addLast(move);
    if (moves.size() > COUNT_MAX) {
      moves.removeFirst();
    }
  }

  /** Returns the moves, oldest first. */
  List<RegionMove> all() {
    return List.copyOf(moves);
  }
}
