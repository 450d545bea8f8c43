package dev.cairn.server.coordination;

import dev.cairn.server.catalog.ServerName;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The shared state of the cluster at one moment. Immutable.
 *
 * @param clusterId the cluster's id; empty before its first master became active
 * @param activeMaster the master that leads
 * @param backupMasters the masters that wait to lead
 * @param metaLocation the server that opened {@code hbase:meta} last
 * @param metaReplicas the server that opened each replica of {@code hbase:meta} last, by number
 * @param regionServers the region servers that are alive, in the order of their names
 * @param up true if servers are to run; false before the first master, and after a shutdown
 * @param draining the region servers that are marked as draining, alive or not
 */
public record ClusterState(
    Optional<String> clusterId,
    Optional<ServerName> activeMaster,
    List<ServerName> backupMasters,
    Optional<ServerName> metaLocation,
    SortedMap<Integer, ServerName> metaReplicas,
    Set<ServerName> regionServers,
    boolean up,
    Set<ServerName> draining) {
  private static final SortedMap<Integer, ServerName> NO_REPLICAS =
      Collections.unmodifiableSortedMap(new TreeMap<>());

  /** The state of a cluster without servers. */
  public static final ClusterState EMPTY =
      new ClusterState(
          Optional.empty(), Optional.empty(), List.of(), Optional.empty(), Set.of(), false);

  /** Takes copies. */
  public ClusterState {
    backupMasters = List.copyOf(backupMasters);
    metaReplicas =
        metaReplicas.isEmpty()
            ? NO_REPLICAS
            : Collections.unmodifiableSortedMap(new TreeMap<>(metaReplicas));
    regionServers = Collections.unmodifiableSet(new TreeSet<>(regionServers));
    draining = Collections.unmodifiableSet(new TreeSet<>(draining));
  }

  /** Creates the state of a cluster without replicas of {@code hbase:meta}. */
  public ClusterState(
      Optional<String> clusterId,
      Optional<ServerName> activeMaster,
      List<ServerName> backupMasters,
      Optional<ServerName> metaLocation,
      Set<ServerName> regionServers,
      boolean up,
      Set<ServerName> draining) {
    this(
        clusterId,
        activeMaster,
        backupMasters,
        metaLocation,
        NO_REPLICAS,
        regionServers,
        up,
        draining);
  }

  /** Creates the state of a cluster without draining servers. */
  public ClusterState(
      Optional<String> clusterId,
      Optional<ServerName> activeMaster,
      List<ServerName> backupMasters,
      Optional<ServerName> metaLocation,
      Set<ServerName> regionServers,
      boolean up) {
    this(clusterId, activeMaster, backupMasters, metaLocation, regionServers, up, Set.of());
  }

  // Written out for quick starts; see ServerName.
  @Override
  public boolean equals(Object other) {
    return other instanceof ClusterState that
        && up == that.up
        && clusterId.equals(that.clusterId)
        && activeMaster.equals(that.activeMaster)
        && backupMasters.equals(that.backupMasters)
        && metaLocation.equals(that.metaLocation)
        && metaReplicas.equals(that.metaReplicas)
        && regionServers.equals(that.regionServers)
        && draining.equals(that.draining);
  }

  @Override
  public int hashCode() {
    return 31 * activeMaster.hashCode() + regionServers.hashCode();
  }

  ClusterState withClusterId(Optional<String> value) {
    return new ClusterState(
        value,
        activeMaster,
        backupMasters,
        metaLocation,
        metaReplicas,
        regionServers,
        up,
        draining);
  }

  ClusterState withActiveMaster(Optional<ServerName> value) {
    return new ClusterState(
        clusterId, value, backupMasters, metaLocation, metaReplicas, regionServers, up, draining);
  }

  ClusterState withBackupMasters(List<ServerName> value) {
    return new ClusterState(
        clusterId, activeMaster, value, metaLocation, metaReplicas, regionServers, up, draining);
  }

  ClusterState withMetaLocation(Optional<ServerName> value) {
    return new ClusterState(
        clusterId, activeMaster, backupMasters, value, metaReplicas, regionServers, up, draining);
  }

  /** Returns this state with another server of a replica of {@code hbase:meta}, or without it. */
  public ClusterState withMetaReplica(int id, Optional<ServerName> server) {
    SortedMap<Integer, ServerName> all = new TreeMap<>(metaReplicas);
    if (server.isPresent()) {
      all.put(id, server.get());
    } else {
      all.remove(id);
    }
    return withMetaReplicas(all);
  }

  /** Returns this state with other replicas of {@code hbase:meta}. */
  public ClusterState withMetaReplicas(SortedMap<Integer, ServerName> value) {
    return new ClusterState(
        clusterId, activeMaster, backupMasters, metaLocation, value, regionServers, up, draining);
  }

  ClusterState withRegionServers(Set<ServerName> value) {
    return new ClusterState(
        clusterId, activeMaster, backupMasters, metaLocation, metaReplicas, value, up, draining);
  }

  ClusterState withUp(boolean value) {
    return new ClusterState(
        clusterId,
        activeMaster,
        backupMasters,
        metaLocation,
        metaReplicas,
        regionServers,
        value,
        draining);
  }

  /** Returns this state with other draining servers. */
  public ClusterState withDraining(Set<ServerName> value) {
    return new ClusterState(
        clusterId,
        activeMaster,
        backupMasters,
        metaLocation,
        metaReplicas,
        regionServers,
        up,
        value);
  }
}
