package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives replicas their goals. They follow from the region: a replica is wanted open while its
 * region is, as long as the table has so many replicas, and on another server than the region's
 * other copies. Owned by the loop.
 */
final class ReplicaGoals {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaGoals.class);

  private final ToIntFunction<TableName> replicas;
  private final RegionStates nodes;
  private final RegionPlaces places;
  private final RegionStateWrites writes;
  private final MetaLocations locations;
  private final Consumer<RegionStateNode> drive;

  /**
   * Creates it.
   *
   * @param replicas how many replicas each region of a table has, itself counted
   * @param drive takes the next action for a region and its replicas
   */
  ReplicaGoals(
      ToIntFunction<TableName> replicas,
      RegionStates nodes,
      RegionPlaces places,
      RegionStateWrites writes,
      MetaLocations locations,
      Consumer<RegionStateNode> drive) {
    this.replicas = replicas;
    this.nodes = nodes;
    this.places = places;
    this.writes = writes;
    this.locations = locations;
    this.drive = drive;
  }

  /**
   * Gives the replicas of a region their goals, and adds those that are missing: they are wanted
   * open while the region is, as many as its table has.
   */
  void follow(RegionStateNode region) {
    if (region.isReplica()) {
      return;
    }
    int copies = replicas.applyAsInt(region.region.table());
    if (region.wantOpen) {
      for (int id = 1; id < copies; id++) {
        RegionInfo replica = region.region.replica(id);
        if (nodes.find(replica.encodedName()).isEmpty()) {
          nodes.add(replica, State.CLOSED, Optional.empty(), -1);
        }
      }
    }
    for (RegionStateNode replica : region.replicas) {
      boolean open = region.wantOpen && replica.region.replicaId() < copies;
      if (replica.wantOpen != open) {
        replica.wantOpen = open;
        nodes.begin(replica);
      }
    }
  }

  /** Tells whether a replica's table has fewer replicas now. */
  boolean isExcess(RegionStateNode node) {
    return node.isReplica() && node.region.replicaId() >= replicas.applyAsInt(node.region.table());
  }

  /** Forgets a closed replica that the table does not have any more. */
  void retire(RegionStateNode replica) {
    replica.writing = true;
    Runnable removed =
        () -> {
          nodes.settled(replica);
          nodes.remove(replica.region);
          drive.accept(replica.primary.orElseThrow()); // Another copy can go to its server.
        };
    if (replica.isOfMeta()) {
      locations.withdraw(replica, removed);
    } else {
      writes.write(replica, new CatalogChange.RemoveReplica(replica.region), removed);
    }
  }

  /** Moves a replica away from a copy with a lower number, if there is a server without one. */
  void spread(RegionStateNode replica) {
    boolean isBeside =
        replica
            .copies()
            .filter(other -> other.region.replicaId() < replica.region.replicaId())
            .anyMatch(other -> other.state == State.OPEN && other.server.equals(replica.server));
    if (!isBeside) {
      return;
    }
    PlacementDecision decision = places.place(places.request(replica, PlacementReason.BALANCE));
    if (decision.server().isPresent()
        && places.known().othersOf(replica.region).noneMatch(decision.server().get()::equals)) {
      LOG.info(
          "{} moves from {} to {}: the region has another replica there",
          replica.region,
          replica.server.orElseThrow(),
          decision.server().get());
      replica.move = Optional.of(decision);
      nodes.begin(replica);
    }
  }
}
