package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;

/** All regions, by name and by table, and how many each server hosts. Owned by the loop. */
final class RegionNodes {
  private final Clock clock;
  private final Map<String, RegionNode> nodes = new HashMap<>();
  private final Map<TableName, Map<String, RegionNode>> byTable = new TreeMap<>();
  private final Map<ServerName, Integer> hosted = new HashMap<>();

  RegionNodes(Clock clock) {
    this.clock = clock;
  }

  /** Takes a region, without a goal, or returns the one that is there. */
  RegionNode add(RegionInfo region, State state, Optional<ServerName> server, long openSequence) {
    RegionNode old = nodes.get(region.encodedName());
    if (old != null) {
      return old;
    }
    RegionNode node = new RegionNode(region, State.CLOSED, Optional.empty(), openSequence);
    nodes.put(region.encodedName(), node);
    byTable
        .computeIfAbsent(region.table(), table -> new LinkedHashMap<>())
        .put(region.encodedName(), node);
    change(node, state, server);
    return node;
  }

  void remove(RegionInfo region) {
    RegionNode node = nodes.remove(region.encodedName());
    if (node != null) {
      change(node, State.CLOSED, Optional.empty());
      Map<String, RegionNode> table = byTable.get(region.table());
      table.remove(region.encodedName());
      if (table.isEmpty()) {
        byTable.remove(region.table());
      }
    }
  }

  Optional<RegionNode> find(String encodedName) {
    return Optional.ofNullable(nodes.get(encodedName));
  }

  /** Tells whether the region has not been removed. */
  boolean contains(RegionNode node) {
    return nodes.get(node.region.encodedName()) == node;
  }

  Collection<RegionNode> of(TableName table) {
    return byTable.getOrDefault(table, Map.of()).values();
  }

  Collection<RegionNode> all() {
    return nodes.values();
  }

  /** Returns all regions, in a list that stays as it is. */
  List<RegionNode> copy() {
    return List.copyOf(nodes.values());
  }

  int hostedBy(ServerName server) {
    return hosted.getOrDefault(server, 0);
  }

  /** Forgets the count of a server that has gone. */
  void forget(ServerName server) {
    hosted.remove(server);
  }

  /** Changes the state of a region, and with it what its server hosts. */
  void change(RegionNode node, State state, Optional<ServerName> server) {
    if (node.isHosted()) {
      node.server.ifPresent(old -> hosted.merge(old, -1, Integer::sum));
    }
    node.state = state;
    node.server = server;
    node.epoch++;
    node.changedMillis = clock.currentTimeMillis();
    if (node.isHosted()) {
      server.ifPresent(now -> hosted.merge(now, 1, Integer::sum));
    }
  }
}
