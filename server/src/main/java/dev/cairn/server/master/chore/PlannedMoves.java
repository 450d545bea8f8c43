package dev.cairn.server.master.chore;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.placement.KnownServers;
import dev.cairn.server.master.placement.PlacementDecision;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;

/**
 * Moves that are planned, and the servers as they will be after them. A server counts the movable
 * regions only. Owned by the loop.
 */
final class PlannedMoves implements KnownServers {
  private final KnownServers now;
  private final Map<ServerName, Deque<RegionStateNode>> movable = new HashMap<>();
  private final Map<RegionInfo, Move> moves = new LinkedHashMap<>();

  /**
   * One move.
   *
   * @param node the region
   * @param decision where it goes
   */
  record Move(RegionStateNode node, PlacementDecision decision) {
    boolean endsAt(ServerName server) {
      return decision.server().equals(Optional.of(server));
    }
  }

  /**
   * Creates it without moves.
   *
   * @param now the servers as they are
   * @param regions the movable regions
   */
  PlannedMoves(KnownServers now, List<RegionStateNode> regions) {
    this.now = now;
    now.ready().forEach(server -> movable.put(server, new ArrayDeque<>()));
    for (RegionStateNode node : regions) {
      node.server().map(movable::get).ifPresent(there -> there.add(node));
    }
  }

  /** Adds a move. The region is not moved a second time. */
  void add(Move move) {
    movable.get(move.node().server().orElseThrow()).removeLastOccurrence(move.node());
    movable.get(move.decision().server().orElseThrow()).addFirst(move.node());
    moves.put(move.node().region(), move);
  }

  /** Returns the moves, in the order in which they were added. */
  List<Move> all() {
    return List.copyOf(moves.values());
  }

  /** Returns the servers, most movable regions first. */
  List<ServerName> fullestFirst() {
    return movable.keySet().stream()
        .sorted(
            Comparator.<ServerName>comparingInt(this::regionCount)
                .thenComparing(Comparator.naturalOrder())
                .reversed())
        .toList();
  }

  /** Returns the movable regions of a server, in reverse order. */
  Iterable<RegionStateNode> lastFirst(ServerName server) {
    return movable.get(server)::descendingIterator;
  }

  /** Tells whether the region has a planned move. */
  boolean isMoved(RegionStateNode node) {
    return moves.containsKey(node.region());
  }

  @Override
  public List<ServerName> ready() {
    return now.ready();
  }

  @Override
  public boolean isReady(ServerName server) {
    return now.isReady(server);
  }

  @Override
  public int regionCount(ServerName server) {
    return movable.get(server).size();
  }

  @Override
  public Stream<RegionInfo> regions(ServerName server, TableName table) {
    return Stream.concat(
        now.regions(server, table).filter(region -> !moves.containsKey(region)),
        moves.values().stream()
            .filter(move -> move.endsAt(server))
            .map(move -> move.node().region())
            .filter(region -> region.table().equals(table)));
  }

  /** Returns the servers as they are: replicas are not moved together with their region. */
  @Override
  public Stream<ServerName> othersOf(RegionInfo region) {
    return now.othersOf(region);
  }

  @Override
  public Optional<ServerLoad> load(ServerName server) {
    return now.load(server);
  }

  @Override
  public OptionalDouble locality(ServerName server, RegionInfo region) {
    return now.locality(server, region);
  }
}
