package dev.cairn.server.master;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/** The cluster's shared state, of which one listener hears at once. */
final class SimulatedCoordination implements Coordination {
  /** What clients before 2.0 read of the tables' states. */
  final Map<TableName, HBaseProtos.TableState.State> publishedTables = new HashMap<>();

  private final Consumer<ServerName> register;
  private final Consumer<ServerName> unregister;
  private ClusterState state = ClusterState.EMPTY;
  private Optional<Listener> listener = Optional.empty();

  SimulatedCoordination(Consumer<ServerName> register, Consumer<ServerName> unregister) {
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
            Set.copyOf(servers),
            state.up());
    listener.ifPresent(one -> one.changed(state));
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
            state.regionServers(),
            true);
  }

  @Override
  public void registerRegionServer(ServerName self, int infoPort) {
    register.accept(self);
  }

  @Override
  public void unregisterRegionServer(ServerName server) {
    unregister.accept(server);
  }

  @Override
  public void publishMetaLocation(ServerName server) {
    state =
        new ClusterState(
            state.clusterId(),
            state.activeMaster(),
            List.of(),
            Optional.of(server),
            state.regionServers(),
            true);
  }

  @Override
  public void publishClusterId(String clusterId) {
    state =
        new ClusterState(
            Optional.of(clusterId),
            state.activeMaster(),
            List.of(),
            state.metaLocation(),
            state.regionServers(),
            true);
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
  public void close() {}
}
