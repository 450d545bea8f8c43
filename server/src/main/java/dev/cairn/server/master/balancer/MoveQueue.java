package dev.cairn.server.master.balancer;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.balancer.BalancePlan.Move;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.placement.PlacementReason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Carries out moves, a few at a time. Checks before each one whether it still applies. Owned by the
 * loop.
 */
final class MoveQueue {
  /** The time after which a move no longer waits for its region to open. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Assignments assignments;
  private final BalancerSettings settings;
  private final Predicate<Move> mayBegin;
  private final Deque<Move> waiting = new ArrayDeque<>();
  private BooleanSupplier isLate = () -> false;
  private int running;

  /**
   * Creates it without moves.
   *
   * @param mayBegin asked before each move; tells whether it may be made now, and counts it
   */
  MoveQueue(Assignments assignments, BalancerSettings settings, Predicate<Move> mayBegin) {
    this.assignments = assignments;
    this.settings = settings;
    this.mayBegin = mayBegin;
  }

  /** Tells whether moves are under way. */
  boolean isBusy() {
    return running > 0 || !waiting.isEmpty();
  }

  /** Returns how many moves wait or are under way. */
  int size() {
    return running + waiting.size();
  }

  /**
   * Begins moves instead of those that wait.
   *
   * @param late tells whether those that have not begun are left out
   */
  void begin(Collection<Move> moves, BooleanSupplier late) {
    waiting.clear();
    waiting.addAll(moves);
    isLate = late;
    next();
  }

  private void next() {
    while (!waiting.isEmpty() && running < atOnceMax()) {
      if (isLate.getAsBoolean()) {
        waiting.clear();
        return;
      }
      begin(waiting.removeFirst());
    }
  }

  private int atOnceMax() {
    long allowed = (long) (assignments.all().size() * settings.transitionsPart());
    return (int) Math.min(settings.movesAtOnce(), Math.max(1, allowed));
  }

  private void begin(Move move) {
    Optional<RegionStateNode> found = assignments.find(move.region().encodedName());
    if (found.isEmpty() || !applies(found.get(), move) || !mayBegin.test(move)) {
      return;
    }
    running++;
    assignments.move(
        found.get(), move.decision(), PATIENCE, Completion.of(this::ended, cause -> ended()));
  }

  private boolean applies(RegionStateNode node, Move move) {
    ServerName to = move.to();
    return node.openServer().equals(Optional.of(move.from()))
        && !node.isInTransition()
        && !node.isHeld()
        && assignments
            .place(assignments.request(node, PlacementReason.BALANCE).at(to))
            .server()
            .isPresent();
  }

  private void ended() {
    running--;
    next();
  }
}
