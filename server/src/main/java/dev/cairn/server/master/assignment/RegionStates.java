package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionMoves.RegionMove;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;

/**
 * All regions and their replicas, by name, the regions also by table, and how many of both each
 * server hosts. Owned by the loop.
 */
final class RegionStates {
  private final Clock clock;
  private final Map<String, RegionStateNode> nodes = new HashMap<>();
  private final Map<String, RegionStateNode> replicas = new HashMap<>();
  private final Map<TableName, Map<String, RegionStateNode>> byTable = new TreeMap<>();
  private final Map<ServerName, Integer> hosted = new HashMap<>();
  private final LongSupplier ids;
  private final RegionMoves moves = new RegionMoves();
  private final TransitionTimes times = new TransitionTimes();

  private long lastEpoch;

  /**
   * Creates it without regions.
   *
   * @param ids numbers transitions
   */
  RegionStates(Clock clock, LongSupplier ids) {
    this.clock = clock;
    this.ids = ids;
  }

  /** Begins a region's transition to a new goal, unless it has reached the goal already. */
  void begin(RegionStateNode node) {
    if (node.transition.isEmpty() && node.isInTransition()) {
      RegionTransition transition =
          new RegionTransition(
              ids.getAsLong(), node.goal(), node.openServer(), clock.currentTimeMillis());
      node.transition = Optional.of(transition);
      times.began(transition);
    }
  }

  /** Ends the transition of a region that has reached its goal. */
  void settled(RegionStateNode node) {
    long now = clock.currentTimeMillis();
    moves.settled(node, now);
    node.transition.ifPresent(transition -> times.ended(transition, now));
    node.runSettled();
  }

  /** Returns the counts and times of transitions. */
  TransitionTimes times() {
    return times;
  }

  /** Returns the latest moves of regions, oldest first. */
  List<RegionMove> moves() {
    return moves.all();
  }

  /**
   * Takes a region, or a replica of one that is there, without a goal; or returns the one that is
   * there.
   */
  RegionStateNode add(
      RegionInfo region, State state, Optional<ServerName> server, long openSequence) {
    Optional<RegionStateNode> old = find(region.encodedName());
    if (old.isPresent()) {
      return old.get();
    }
    RegionStateNode node;
    if (region.replicaId() == 0) {
      node = new RegionStateNode(region, Optional.empty(), openSequence);
      nodes.put(region.encodedName(), node);
      byTable
          .computeIfAbsent(region.table(), table -> new LinkedHashMap<>())
          .put(region.encodedName(), node);
    } else {
      RegionStateNode primary = nodes.get(region.replica(0).encodedName());
      if (primary == null) {
        throw new IllegalArgumentException("A replica of an unknown region: " + region);
      }
      node = new RegionStateNode(region, Optional.of(primary), openSequence);
      replicas.put(region.encodedName(), node);
      primary.replicas.add(node);
      primary.replicas.sort(Comparator.comparingInt(replica -> replica.region.replicaId()));
    }
    change(node, state, server);
    return node;
  }

  /** Forgets a region and its replicas, or a single replica. */
  void remove(RegionInfo region) {
    RegionStateNode replica = replicas.remove(region.encodedName());
    if (replica != null) {
      change(replica, State.CLOSED, Optional.empty());
      replica.primary.orElseThrow().replicas.remove(replica);
      return;
    }
    RegionStateNode node = nodes.remove(region.encodedName());
    if (node != null) {
      node.replicas().forEach(each -> remove(each.region));
      change(node, State.CLOSED, Optional.empty());
      Map<String, RegionStateNode> table = byTable.get(region.table());
      table.remove(region.encodedName());
      if (table.isEmpty()) {
        byTable.remove(region.table());
      }
    }
  }

  Optional<RegionStateNode> find(String encodedName) {
    RegionStateNode node = nodes.get(encodedName);
    return Optional.ofNullable(node == null ? replicas.get(encodedName) : node);
  }

  /** Tells whether the region or replica has not been removed. */
  boolean contains(RegionStateNode node) {
    return (node.isReplica() ? replicas : nodes).get(node.region.encodedName()) == node;
  }

  /** Returns the regions of a table, without replicas. */
  Collection<RegionStateNode> of(TableName table) {
    return byTable.getOrDefault(table, Map.of()).values();
  }

  /** Returns all regions, without replicas. */
  Collection<RegionStateNode> all() {
    return nodes.values();
  }

  /** Returns all regions and replicas, in a list that stays as it is. */
  List<RegionStateNode> copy() {
    List<RegionStateNode> all = new ArrayList<>(nodes.size() + replicas.size());
    all.addAll(nodes.values());
    all.addAll(replicas.values());
    return all;
  }

  /** Returns all replicas. */
  Collection<RegionStateNode> replicas() {
    return replicas.values();
  }

  int hostedBy(ServerName server) {
    return hosted.getOrDefault(server, 0);
  }

  /** Forgets the count of a server that has gone. */
  void forget(ServerName server) {
    hosted.remove(server);
  }

  /**
   * Returns a number for a region's change that is above all earlier ones, also those of a region
   * of this name that was removed. Region servers ignore orders with lower numbers.
   */
  long nextEpoch() {
    return ++lastEpoch;
  }

  /** Changes the state of a region, and with it the regions that its server hosts. */
  void change(RegionStateNode node, State state, Optional<ServerName> server) {
    if (node.isHosted()) {
      node.server.ifPresent(old -> hosted.merge(old, -1, Integer::sum));
    }
    State before = node.state;
    node.state = state;
    node.server = server;
    node.epoch = nextEpoch();
    node.changedMillis = clock.currentTimeMillis();
    if (state == State.OPEN || state == State.CLOSED || state == State.FAILED_OPEN) {
      node.setHeir(Optional.empty());
    }
    if (node.wantOpen) {
      begin(node);
    }
    node.order.ifPresent(order -> times.orderEnded(order, before, state, node.changedMillis));
    node.order = Optional.empty();
    if (node.transition.isPresent() && (state == State.OPENING || state == State.CLOSING)) {
      node.order = Optional.of(new RegionTransition.Order(ids.getAsLong(), node.changedMillis));
      times.ordered(state);
    }
    if (node.isHosted()) {
      server.ifPresent(now -> hosted.merge(now, 1, Integer::sum));
    }
  }
}
