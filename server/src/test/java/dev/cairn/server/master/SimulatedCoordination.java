package dev.cairn.server.master;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.SessionLease;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/** The cluster's shared state, of which one listener hears at once. */
public final class SimulatedCoordination implements Coordination {
  /** The states of the tables that clients before 2.0 read. */
  final Map<TableName, HBaseProtos.TableState.State> publishedTables = new HashMap<>();

  /** The groups of region servers. */
  List<ServerGroup> publishedGroups = List.of();

  /** After this time without a sign of life a session ends. */
  public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(20);

  /** Servers that are registered and of which the master's session has not heard. */
  final Set<ServerName> unheard = new HashSet<>();

  /** Whether a master hears only of its own marks of draining servers. */
  boolean drainsUnheard;

  /** The number of next reads of the data's identity that fail. */
  int dataIdFailures;

  /** The number of next publications of replicas of {@code hbase:meta} that fail. */
  public int metaReplicaFailures;

  private final Clock clock;
  private final SessionLease lease;
  private final Consumer<ServerName> register;
  private final Consumer<ServerName> unregister;
  private ClusterState state = ClusterState.EMPTY;
  private Optional<Listener> listener = Optional.empty();
  private int dataId;

  SimulatedCoordination(
      Clock clock, Consumer<ServerName> register, Consumer<ServerName> unregister) {
    this.clock = clock;
    this.lease =
        new SessionLease(clock, SessionLease.Sent.now(clock), (int) SESSION_TIMEOUT.toMillis());
    this.register = register;
    this.unregister = unregister;
  }

  /** Tells which region servers are registered now. */
  void setServers(Set<ServerName> servers) {
    state =
        new ClusterState(
            state.clusterId(),
            state.activeMaster(),
            List.of(),
            state.metaLocation(),
            state.metaReplicas(),
            Set.copyOf(servers),
            state.up(),
            state.draining());
    listener.ifPresent(one -> one.changed(state));
  }

  /** Registers a server. */
  void add(ServerName server) {
    Set<ServerName> all = new HashSet<>(state.regionServers());
    all.add(server);
    setServers(all);
  }

  /** Removes a server's registration; its process goes on. */
  void remove(ServerName server) {
    Set<ServerName> left = new HashSet<>(state.regionServers());
    left.remove(server);
    setServers(left);
  }

  /** Deletes all registrations of region servers, with their directory. */
  void wipeServers() {
    dataId++;
    unheard.clear();
    setServers(Set.of());
  }

  /** Loses the znode that tells where {@code hbase:meta} is open. */
  void loseMetaLocation() {
    state =
        new ClusterState(
            state.clusterId(),
            state.activeMaster(),
            List.of(),
            Optional.empty(),
            state.metaReplicas(),
            state.regionServers(),
            true,
            state.draining());
  }

  /** Forgets a listener that has died. */
  void dropListener() {
    listener = Optional.empty();
  }

  @Override
  public ClusterState state() {
    return state;
  }

  @Override
  public void listen(Listener one) {
    listener = Optional.of(one);
  }

  @Override
  public void registerMaster(ServerName self, int infoPort) {
    state =
        new ClusterState(
            state.clusterId(),
            Optional.of(self),
            List.of(),
            state.metaLocation(),
            state.metaReplicas(),
            state.regionServers(),
            true,
            state.draining());
  }

  @Override
  public SessionLease lease() {
    lease.confirmed(SessionLease.Sent.now(clock)); // The session lives.
    return lease;
  }

  @Override
  public void renewLease() {}

  @Override
  public Set<ServerName> readRegionServers() {
    Set<ServerName> all = new HashSet<>(state.regionServers());
    all.addAll(unheard);
    return all;
  }

  @Override
  public String readDataId() throws IOException {
    if (dataIdFailures > 0) {
      dataIdFailures--;
      throw new IOException("There is no connection");
    }
    return Integer.toString(dataId);
  }

  @Override
  public Optional<ServerName> readActiveMaster() {
    return state.activeMaster();
  }

  @Override
  public void registerRegionServer(ServerName self, int infoPort) {
    register.accept(self);
  }

  @Override
  public void unregisterMaster(ServerName master) {
    throw new UnsupportedOperationException("There is one master");
  }

  @Override
  public boolean unregisterRegionServer(ServerName server) {
    boolean registered = state.regionServers().contains(server);
    unregister.accept(server);
    return registered;
  }

  @Override
  public void markDraining(ServerName server, boolean draining) {
    Set<ServerName> all = new HashSet<>(state.draining());
    if (draining) {
      all.add(server);
    } else {
      all.remove(server);
    }
    state = state.withDraining(all);
    if (!drainsUnheard) {
      listener.ifPresent(one -> one.changed(state));
    }
  }

  @Override
  public void publishMetaLocation(ServerName server) {
    state =
        new ClusterState(
            state.clusterId(),
            state.activeMaster(),
            List.of(),
            Optional.of(server),
            state.metaReplicas(),
            state.regionServers(),
            true,
            state.draining());
  }

  @Override
  public void publishMetaReplica(int id, Optional<ServerName> server) throws IOException {
    if (metaReplicaFailures > 0) {
      metaReplicaFailures--;
      throw new IOException("There is no connection");
    }
    state = state.withMetaReplica(id, server);
  }

  @Override
  public void publishClusterId(String clusterId) {
    state =
        new ClusterState(
            Optional.of(clusterId),
            state.activeMaster(),
            List.of(),
            state.metaLocation(),
            state.metaReplicas(),
            state.regionServers(),
            true,
            state.draining());
  }

  @Override
  public void publishClusterUp(boolean up) {}

  @Override
  public void publishTableStates(Map<TableName, HBaseProtos.TableState.State> states) {
    publishedTables.clear();
    publishedTables.putAll(states);
  }

  @Override
  public void publishTableState(TableName table, Optional<HBaseProtos.TableState.State> state) {
    state.ifPresentOrElse(
        now -> publishedTables.put(table, now), () -> publishedTables.remove(table));
  }

  @Override
  public Optional<HBaseProtos.TableState.State> readTableState(TableName table) {
    return Optional.ofNullable(publishedTables.get(table));
  }

  @Override
  public void publishGroups(Collection<ServerGroup> groups) {
    publishedGroups = List.copyOf(groups);
  }

  @Override
  public List<ServerGroup> readGroups() {
    return publishedGroups;
  }

  @Override
  public void close() {}
}
