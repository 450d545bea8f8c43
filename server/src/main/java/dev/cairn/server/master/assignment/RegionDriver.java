package dev.cairn.server.master.assignment;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.remote.OnlineServers;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the next action that brings a region closer to its goal, one at a time. Owned by the loop.
 */
final class RegionDriver {
  private static final Logger LOG = LoggerFactory.getLogger(RegionDriver.class);

  /** The time after which a region is placed again if rules refuse all servers. */
  private static final Duration PLACE_PAUSE = Duration.ofSeconds(1);

  private final OnlineServers servers;
  private final RegionStates nodes;
  private final RegionPlaces places;
  private final ReplicaGoals goals;
  private final Promotions promotions;
  private final RegionRequests requests;
  private final RegionWarmUps warmUps;
  private final RegionStateWrites writes;

  RegionDriver(
      OnlineServers servers,
      RegionStates nodes,
      RegionPlaces places,
      ReplicaGoals goals,
      Promotions promotions,
      RegionRequests requests,
      RegionWarmUps warmUps,
      RegionStateWrites writes) {
    this.servers = servers;
    this.nodes = nodes;
    this.places = places;
    this.goals = goals;
    this.promotions = promotions;
    this.requests = requests;
    this.warmUps = warmUps;
    this.writes = writes;
  }

  /** Takes the next action for one region, if there is one to take now, and for its replicas. */
  void drive(RegionStateNode node) {
    if (!node.writing && nodes.contains(node)) {
      act(node);
    }
    if (nodes.contains(node)) {
      driveReplicas(node);
    }
  }

  /** Takes the next action for the replicas of a region. */
  void driveReplicas(RegionStateNode region) {
    goals.follow(region);
    region.replicas().forEach(this::drive);
  }

  private void act(RegionStateNode node) {
    switch (node.state) {
      case OPEN -> {
        if (node.isReplica() && node.wantOpen && node.move.isEmpty()) {
          promotions.choose(node.primary.orElseThrow());
          goals.spread(node);
        }
        Optional<ServerName> target = node.target();
        if (target.isPresent() && (node.isAt(target.get()) || !servers.isLive(target.get()))) {
          node.move = Optional.empty();
        }
        if (!node.wantOpen || node.reopen || node.move.isPresent() && isWarm(node)) {
          beginClose(node);
        }
      }
      case OFFLINE, CLOSED -> {
        node.reopen = false;
        if (node.wantOpen) {
          beginOpen(node);
        } else {
          node.move = Optional.empty();
          if (goals.isExcess(node)) {
            goals.retire(node);
            return;
          }
          if (node.state == State.OFFLINE) {
            writes.write(node, State.CLOSED, node.server, () -> {});
          }
        }
      }
      default -> {
        // OPENING and CLOSING wait for a report, FAILED_OPEN for its pause to end,
        // ABNORMALLY_CLOSED for the recovery of the log.
      }
    }
    if (node.isSettled()) {
      nodes.settled(node);
    }
  }

  /**
   * Tells whether a region that moves may leave its server. Otherwise, drives again once it may.
   */
  private boolean isWarm(RegionStateNode node) {
    return node.isMeta()
        || node.isReplica()
        || warmUps.isOver(node, node.target().orElseThrow(), () -> drive(node));
  }

  private void beginOpen(RegionStateNode node) {
    PlacementDecision decision = places.decide(node);
    boolean isNews = node.placed.isEmpty() || !node.placed.get().reason().equals(decision.reason());
    node.placed = Optional.of(decision);
    if (decision.server().isPresent()) {
      node.move = Optional.empty();
      writes.write(node, State.OPENING, decision.server(), () -> requests.open(node));
    } else if (decision.isRefused()) {
      if (isNews) {
        LOG.warn("{} is not opened. {}", node.region, decision.reason());
      }
      placeAgain(node);
    } // Otherwise, the next server that is accepted drives again.
  }

  /** Drives a region again after a pause, because rules refuse all servers. */
  private void placeAgain(RegionStateNode node) {
    if (node.placeAgain != node.epoch) {
      node.placeAgain = node.epoch;
      requests.after(
          node,
          PLACE_PAUSE,
          () -> {
            node.placeAgain = -1;
            drive(node);
          });
    }
  }

  private void beginClose(RegionStateNode node) {
    if (node.isMeta() && !node.wantOpen) {
      return; // It is closed only to be opened again.
    }
    beginClose(node, Completion.UNHEARD);
  }

  /**
   * Closes an open region.
   *
   * @param begun completes once {@code hbase:meta} does not say any more that it is open
   */
  void beginClose(RegionStateNode node, Completion begun) {
    writes.write(node, State.CLOSING, node.server, begun, () -> requests.close(node));
  }

  /**
   * Opens a closed region elsewhere, if it is to be open and there is a server for it. Then {@code
   * hbase:meta} need not say in between that the region is closed.
   *
   * @param closed completes once {@code hbase:meta} does not say any more that it is open
   */
  boolean isOpenedAtOnce(RegionStateNode node, Completion closed) {
    node.reopen = false;
    if (!node.wantOpen) {
      return false;
    }
    PlacementDecision decision = places.decide(node);
    if (decision.server().isEmpty()) {
      return false;
    }
    node.placed = Optional.of(decision);
    node.move = Optional.empty();
    writes.write(node, State.OPENING, decision.server(), closed, () -> requests.open(node));
    return true;
  }
}
