package dev.cairn.server.master.group;

import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves regions from servers that a rule refuses to servers that may have them. A region that no
 * server may have stays where it is and is served there. {@code hbase:meta} is never moved. Owned
 * by the loop.
 */
final class GroupMoves {
  private static final Logger LOG = LoggerFactory.getLogger(GroupMoves.class);

  /** The moves at one time. */
  private static final int MOVES_MAX = 20;

  private static final int ROUNDS_MAX = 50;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The time after which a move no longer waits for its region to open. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final MasterLoop loop;
  private final Assignments assignments;

  GroupMoves(MasterLoop loop, Assignments assignments) {
    this.loop = loop;
    this.assignments = assignments;
  }

  /** A region, and where it is to go; empty while it is in transition. */
  private record Move(RegionStateNode node, Optional<PlacementDecision> decision) {}

  /** Returns how many of the regions are to move. */
  int count(Predicate<RegionStateNode> which) {
    return plan(which).size();
  }

  /**
   * Moves the regions and replicas that their servers may not have, and then completes. At the end,
   * copies of a region on the same server may separate, because the group may have more servers.
   */
  void begin(Predicate<RegionStateNode> which, Completion completion) {
    Runnable drive = assignments::driveAll;
    round(
        which,
        Completion.of(
            () -> {
              drive.run();
              completion.done();
            },
            cause -> {
              drive.run();
              completion.failed(cause);
            }),
        1);
  }

  private void round(Predicate<RegionStateNode> which, Completion completion, int number) {
    List<Move> moves = plan(which);
    if (moves.isEmpty()) {
      completion.done();
      return;
    }
    if (number > ROUNDS_MAX) {
      completion.failed(
          new DoNotRetryIOException(
              moves.size()
                  + " regions are still at servers of other groups, for example "
                  + moves.get(0).node().region()
                  + "; the group has changed, and balance_rsgroup moves them"));
      return;
    }
    LOG.info("{} regions move to servers of their groups", moves.size());
    Deque<Move> left = new ArrayDeque<>(moves);
    int[] running = {Math.min(MOVES_MAX, moves.size())};
    Runnable after =
        () -> {
          if (--running[0] == 0) {
            again(which, completion, number);
          }
        };
    for (int i = running[0]; i > 0; i--) {
      run(left, after);
    }
  }

  private void again(Predicate<RegionStateNode> which, Completion completion, int number) {
    if (plan(which).isEmpty()) {
      completion.done();
    } else {
      loop.after(PAUSE, () -> round(which, completion, number + 1));
    }
  }

  /** Makes one move after the other. */
  private void run(Deque<Move> left, Runnable after) {
    if (left.isEmpty()) {
      after.run();
      return;
    }
    Move move = left.remove();
    RegionStateNode node = move.node();
    boolean[] over = {false};
    Runnable next =
        () -> {
          if (!over[0]) {
            over[0] = true;
            loop.post(() -> run(left, after));
          }
        };
    if (isGone(node) || !node.isWantedOpen()) {
      next.run();
    } else if (move.decision().isPresent() && node.isSettled()) {
      PlacementDecision decision = move.decision().get();
      if (!isRefused(node) || !isStillAllowed(node, decision)) { // The groups have changed since.
        next.run();
        return;
      }
      assignments.move(node, decision, PATIENCE, Completion.of(next, cause -> next.run()));
      watch(node, over, next);
    } else if (node.isSettled()) {
      next.run();
    } else {
      node.whenSettled(next);
      watch(node, over, next);
    }
  }

  private boolean isStillAllowed(RegionStateNode node, PlacementDecision decision) {
    PlacementRequest request = assignments.request(node, PlacementReason.MOVE);
    return assignments.place(request.at(decision.server().orElseThrow())).server().isPresent();
  }

  /** Goes on if the region is removed before it settles, for example by a merge. */
  private void watch(RegionStateNode node, boolean[] over, Runnable next) {
    loop.after(
        PAUSE,
        () -> {
          if (!over[0] && isGone(node)) {
            next.run();
          } else if (!over[0]) {
            watch(node, over, next);
          }
        });
  }

  private boolean isGone(RegionStateNode node) {
    return assignments.find(node.region().encodedName()).filter(node::equals).isEmpty();
  }

  private List<Move> plan(Predicate<RegionStateNode> which) {
    CountedServers servers = new CountedServers(assignments.servers());
    List<Move> moves = new ArrayList<>();
    List<RegionStateNode> wanted =
        Stream.concat(assignments.all().stream(), assignments.replicas().stream())
            .filter(which)
            .filter(node -> !node.region().table().isMeta() && node.isWantedOpen())
            .filter(this::isRefused)
            .toList();
    for (RegionStateNode node : wanted) {
      PlacementDecision decision =
          assignments.place(assignments.request(node, PlacementReason.MOVE).among(servers));
      if (decision.server().isEmpty()) {
        continue;
      }
      servers.move(node.server(), decision.server().get());
      moves.add(new Move(node, node.isSettled() ? Optional.of(decision) : Optional.empty()));
    }
    return moves;
  }

  /**
   * Tells whether a rule refuses the server that has the region, opens it or closes it. Another
   * copy of the region at that server does not count.
   */
  private boolean isRefused(RegionStateNode node) {
    State state = node.state();
    return (state == State.OPEN || state == State.OPENING || state == State.CLOSING)
        && assignments
            .place(assignments.request(node, PlacementReason.MOVE).at(node.server().orElseThrow()))
            .isRefused();
  }
}
