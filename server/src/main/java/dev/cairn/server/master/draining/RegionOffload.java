package dev.cairn.server.master.draining;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRequest;
import dev.cairn.server.master.remote.OnlineServers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the regions of draining servers to others, and regions back to servers that are not
 * draining any more. A few regions of a server move at a time; the others are served meanwhile.
 *
 * <p>A draining server is looked at every second, and whenever one of its moves has ended. So a
 * region that cannot be moved now, or that a split leaves there, moves later. Owned by the loop.
 */
public final class RegionOffload {
  private static final Logger LOG = LoggerFactory.getLogger(RegionOffload.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** The time after which a move no longer waits for its region to open. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final MasterLoop loop;
  private final Assignments assignments;
  private final OnlineServers servers;
  private final DrainingServers draining;
  private final int movesMax;

  /** Why no region of a server could be moved when it was tried last, as logged. */
  private final Map<ServerName, String> obstacles = new HashMap<>();

  /** The servers without regions, as logged. */
  private final Set<ServerName> empty = new HashSet<>();

  /** The encoded names of the regions that are to move back to a server. */
  private final Map<ServerName, Deque<String>> returning = new TreeMap<>();

  /** The number of moves that run, by the server that is emptied or filled. */
  private final Map<ServerName, Integer> moves = new HashMap<>();

  private boolean started;
  private boolean ticking;

  /**
   * Creates it; {@link #start} begins.
   *
   * @param movesMax the maximum number of regions of a server that move at the same time
   */
  public RegionOffload(
      MasterLoop loop,
      Assignments assignments,
      OnlineServers servers,
      DrainingServers draining,
      int movesMax) {
    this.loop = loop;
    this.assignments = assignments;
    this.servers = servers;
    this.draining = draining;
    this.movesMax = movesMax;
  }

  /** Begins; all regions are known. */
  public void start() {
    started = true;
    look();
  }

  /** Looks at all servers at once, because one has begun to drain. */
  public void look() {
    if (!started) {
      return;
    }
    List<ServerName> now = draining.offloaded();
    obstacles.keySet().retainAll(now);
    empty.retainAll(now);
    now.forEach(this::moveAway);
    List.copyOf(returning.keySet()).forEach(this::moveBack);
    if (!ticking && !(now.isEmpty() && returning.isEmpty())) {
      ticking = true;
      loop.after(
          PERIOD,
          () -> {
            ticking = false;
            look();
          });
    }
  }

  private void moveAway(ServerName server) {
    if (!draining.offloaded().contains(server)) {
      return;
    }
    if (assignments.servers().regionCount(server) == 0) {
      if (empty.add(server)) {
        LOG.info("The draining server {} has no regions any more", server);
      }
      return;
    }
    empty.remove(server);
    if (isBusy(server)) {
      return;
    }
    List<RegionStateNode> here =
        Stream.concat(assignments.all().stream(), assignments.replicas().stream())
            .filter(node -> node.isAt(server) && node.isHosted())
            .sorted(Comparator.comparing(node -> node.region().encodedName()))
            .toList();
    for (RegionStateNode node : here) {
      if (isBusy(server)) {
        return;
      }
      if (mayMove(node)) {
        PlacementRequest request = assignments.request(node, PlacementReason.MOVE);
        PlacementDecision decision = assignments.place(request);
        if (decision.server().isEmpty()) {
          blocked(server, node, decision.reason());
        } else {
          obstacles.remove(server);
          begin(node, decision, server, () -> moveAway(server));
        }
      }
    }
  }

  private static boolean mayMove(RegionStateNode node) {
    return node.isSettled() && node.isWantedOpen() && !node.isHeld();
  }

  private void blocked(ServerName server, RegionStateNode node, String reason) {
    if (!reason.equals(obstacles.put(server, reason))) {
      LOG.warn("{} stays at the draining server {}. {}", node.region(), server, reason);
    }
  }

  private boolean isBusy(ServerName server) {
    return moves.getOrDefault(server, 0) >= movesMax;
  }

  /** Begins a move; runs {@code next} after its end. */
  private void begin(
      RegionStateNode node, PlacementDecision decision, ServerName server, Runnable next) {
    moves.merge(server, 1, Integer::sum);
    Runnable ended =
        () ->
            loop.post(
                () -> {
                  moves.computeIfPresent(server, (one, count) -> count == 1 ? null : count - 1);
                  next.run();
                });
    assignments.move(node, decision, PATIENCE, Completion.of(ended, cause -> ended.run()));
  }

  /** Moves regions to a server, a few at a time; those that are there already stay. */
  public void bring(List<RegionStateNode> regions, ServerName server) {
    if (regions.isEmpty()) {
      return;
    }
    Deque<String> queue = returning.computeIfAbsent(server, one -> new ArrayDeque<>());
    regions.forEach(node -> queue.add(node.region().encodedName()));
    look();
  }

  private void moveBack(ServerName server) {
    Deque<String> queue = returning.get(server);
    if (queue == null) {
      return;
    }
    if (!servers.isLive(server)) {
      LOG.warn("{} regions do not move to {}, which is not alive", queue.size(), server);
      returning.remove(server);
      return;
    }
    if (!servers.isReady(server)) {
      return; // It is registered and has not reported for duty yet.
    }
    int waiting = queue.size();
    while (waiting-- > 0 && !isBusy(server)) {
      String name = queue.remove();
      assignments.find(name).ifPresent(node -> moveBack(node, server, queue));
    }
    if (queue.isEmpty()) {
      returning.remove(server);
    }
  }

  private void moveBack(RegionStateNode node, ServerName server, Deque<String> queue) {
    if (!node.isWantedOpen() || node.isSettled() && node.isAt(server)) {
      return;
    }
    if (!mayMove(node)) {
      queue.add(node.region().encodedName());
      return;
    }
    PlacementDecision decision =
        assignments.place(assignments.request(node, PlacementReason.MOVE).at(server));
    if (decision.server().isEmpty()) {
      LOG.warn("{} does not move to {}. {}", node.region(), server, decision.reason());
      return;
    }
    begin(node, decision, server, () -> moveBack(server));
  }
}
