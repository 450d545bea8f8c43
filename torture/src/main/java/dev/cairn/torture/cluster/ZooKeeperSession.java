package dev.cairn.torture.cluster;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.CoordinationException;
import dev.cairn.server.coordination.SessionLease;
import dev.cairn.torture.scheduler.Machine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;

/** A machine's session with the simulated ZooKeeper. Pings keep it alive. */
final class ZooKeeperSession implements Coordination {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Machine machine;
  private final ZooKeeperService service;
  private final Network network;
  private final Executor events;
  private final List<Listener> listeners = new ArrayList<>();
  private ClusterState state = ClusterState.EMPTY;
  private Optional<ServerName> master = Optional.empty();
  private Optional<String> clusterId = Optional.empty();
  private Optional<ServerName> metaLocation = Optional.empty();
  private final Map<Integer, ServerName> metaReplicas = new ConcurrentSkipListMap<>();
  private boolean up;
  private boolean closed;
  private boolean lost;
  private long id;
  private SessionLease lease;
  private Duration sessionTimeout;

  /** The region server that this session registered. */
  private Optional<ServerName> registered = Optional.empty();

  private ZooKeeperSession(Machine machine, ZooKeeperService service, Network network) {
    this.machine = machine;
    this.service = service;
    this.network = network;
    this.events = machine.executor("zookeeper-events", 1);
    this.sessionTimeout = Duration.ofNanos(service.timeoutNanos());
  }

  /** Opens a session, on a thread of {@code machine}. */
  static ZooKeeperSession open(Machine machine, ZooKeeperService service, Network network)
      throws IOException {
    ZooKeeperSession session = new ZooKeeperSession(machine, service, network);
    while (true) {
      try {
        SessionLease.Sent sent = SessionLease.Sent.now(machine.clock());
        session.request(zooKeeper -> session.id = zooKeeper.begin(session));
        session.lease =
            new SessionLease(
                machine.clock(), sent, (int) TimeUnit.NANOSECONDS.toMillis(service.timeoutNanos()));
        break;
      } catch (IOException e) {
        machine.clock().park(TimeUnit.SECONDS.toNanos(1));
      }
    }
    session.request(zooKeeper -> session.state = zooKeeper.state());
    long period = session.lease.periodMillis();
    machine
        .timer()
        .scheduleWithFixedDelay(session::renewLease, period, period, TimeUnit.MILLISECONDS);
    return session;
  }

  Machine machine() {
    return machine;
  }

  /** Makes {@link #sessionTimeout} almost zero, for a process that does not wait for leases. */
  void shortenTimeout() {
    sessionTimeout = Duration.ofMillis(1);
  }

  @Override
  public Duration sessionTimeout() {
    return sessionTimeout;
  }

  /** Handles an event: reads the state and tells the listeners. */
  void received(Supplier<ClusterState> now) {
    ClusterState read = now.get();
    restore(read);
    if (!machine.isStopped()) {
      events.execute(
          () -> {
            state = read;
            if (!lost && !closed) {
              List.copyOf(listeners).forEach(listener -> listener.changed(read));
            }
          });
    }
  }

  /** Writes deleted and changed znodes of this session's master again. */
  private void restore(ClusterState read) {
    if (master.isEmpty() || lost || closed || machine.isStopped() || machine.isFrozen()) {
      return;
    }
    ServerName self = master.get();
    if (read.activeMaster().isEmpty() || !contains(read, self)) {
      send(zooKeeper -> ifHeard(zooKeeper, () -> zooKeeper.addMaster(id, self)));
    } else if (read.activeMaster().get().equals(self)) {
      if (!read.clusterId().equals(clusterId)) {
        clusterId.ifPresent(
            value -> send(zooKeeper -> ifHeard(zooKeeper, () -> zooKeeper.setClusterId(value))));
      }
      if (!read.metaLocation().equals(metaLocation)) {
        metaLocation.ifPresent(
            value -> send(zooKeeper -> ifHeard(zooKeeper, () -> zooKeeper.setMetaLocation(value))));
      }
      metaReplicas.forEach(
          (replica, server) -> {
            if (!server.equals(read.metaReplicas().get(replica))) {
              Optional<ServerName> own = Optional.of(server);
              send(zooKeeper -> ifHeard(zooKeeper, () -> zooKeeper.setMetaReplica(replica, own)));
            }
          });
      if (up && !read.up()) {
        send(zooKeeper -> ifHeard(zooKeeper, () -> zooKeeper.setUp(true)));
      }
    }
  }

  private static boolean contains(ClusterState state, ServerName master) {
    return state.activeMaster().filter(master::equals).isPresent()
        || state.backupMasters().contains(master);
  }

  private void ifHeard(ZooKeeperService zooKeeper, Runnable change) {
    if (zooKeeper.heard(id)) {
      change.run();
    }
  }

  @Override
  public SessionLease lease() {
    return lease;
  }

  @Override
  public void renewLease() {
    if (closed || lost) {
      return;
    }
    SessionLease.Sent sent = SessionLease.Sent.now(machine.clock());
    Optional<ServerName> own = registered;
    send(
        zooKeeper -> {
          if (zooKeeper.heard(id)) {
            if (own.isEmpty() || zooKeeper.isRegistered(own.get())) {
              network.deliver(zooKeeper.machine(), machine.name(), () -> lease.confirmed(sent));
            }
          } else {
            network.deliver(
                zooKeeper.machine(), machine.name(), () -> events.execute(this::sessionEnded));
          }
        });
  }

  private void sessionEnded() {
    if (!lost && !closed) {
      lost = true;
      List.copyOf(listeners)
          .forEach(listener -> listener.sessionLost("The ZooKeeper session has ended"));
    }
  }

  private boolean send(Consumer<ZooKeeperService> request) {
    return network.deliver(
        machine, ZooKeeperService.PLACE, () -> service.handle(() -> request.accept(service)));
  }

  /** Sends a request of this session and waits for its answer. */
  private void request(Consumer<ZooKeeperService> request) throws IOException {
    CompletableFuture<Void> answered = new CompletableFuture<>();
    send(
        zooKeeper -> {
          if (id != 0 && !zooKeeper.heard(id)) {
            network.deliver(
                zooKeeper.machine(), machine.name(), () -> events.execute(this::sessionEnded));
            return;
          }
          request.accept(zooKeeper);
          network.deliver(zooKeeper.machine(), machine.name(), () -> answered.complete(null));
        });
    try {
      if (!machine.clock().await(answered, PATIENCE.toNanos())) {
        throw new CoordinationException("ZooKeeper does not answer", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while ZooKeeper is asked", e);
    }
  }

  @Override
  public ClusterState state() {
    return state;
  }

  @Override
  public void listen(Listener listener) {
    events.execute(
        () -> {
          listeners.add(listener);
          if (lost) {
            listener.sessionLost("The ZooKeeper session has ended");
          } else {
            listener.changed(state);
          }
        });
  }

  @Override
  public Set<ServerName> readRegionServers() throws IOException {
    Set<ServerName> found = new HashSet<>();
    request(zooKeeper -> found.addAll(zooKeeper.state().regionServers()));
    return found;
  }

  @Override
  public String readDataId() throws IOException {
    List<Long> found = new ArrayList<>();
    request(zooKeeper -> found.add(zooKeeper.dataId()));
    return Long.toString(found.get(0));
  }

  @Override
  public Optional<ServerName> readActiveMaster() throws IOException {
    List<ServerName> found = new ArrayList<>();
    request(zooKeeper -> zooKeeper.state().activeMaster().ifPresent(found::add));
    return found.stream().findFirst();
  }

  @Override
  public void registerMaster(ServerName self, int infoPort) throws IOException {
    master = Optional.of(self);
    request(zooKeeper -> zooKeeper.addMaster(id, self));
  }

  @Override
  public void registerRegionServer(ServerName self, int infoPort) throws IOException {
    request(zooKeeper -> zooKeeper.addRegionServer(id, self));
    registered = Optional.of(self);
  }

  @Override
  public void unregisterMaster(ServerName ended) throws IOException {
    request(zooKeeper -> zooKeeper.removeMaster(ended));
  }

  @Override
  public boolean unregisterRegionServer(ServerName server) throws IOException {
    List<Boolean> removed = new ArrayList<>();
    request(zooKeeper -> removed.add(zooKeeper.removeRegionServer(server)));
    return removed.get(0);
  }

  @Override
  public void markDraining(ServerName server, boolean draining) throws IOException {
    request(zooKeeper -> zooKeeper.markDraining(server, draining));
    long end = machine.clock().nanoTime() + PATIENCE.toNanos();
    while (state.draining().contains(server) != draining) {
      if (machine.clock().nanoTime() > end) {
        throw new CoordinationException("ZooKeeper sends no notice of the change", null);
      }
      machine.clock().park(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  @Override
  public void publishMetaLocation(ServerName server) throws IOException {
    metaLocation = Optional.of(server);
    request(zooKeeper -> zooKeeper.setMetaLocation(server));
  }

  @Override
  public void publishMetaReplica(int replica, Optional<ServerName> server) throws IOException {
    if (server.isPresent()) {
      metaReplicas.put(replica, server.get());
    } else {
      metaReplicas.remove(replica);
    }
    request(zooKeeper -> zooKeeper.setMetaReplica(replica, server));
  }

  @Override
  public void publishClusterId(String clusterId) throws IOException {
    this.clusterId = Optional.of(clusterId);
    request(zooKeeper -> zooKeeper.setClusterId(clusterId));
  }

  @Override
  public void publishClusterUp(boolean up) throws IOException {
    this.up = up;
    request(zooKeeper -> zooKeeper.setUp(up));
  }

  @Override
  public void publishTableStates(Map<TableName, TableState.State> states) {
    // Only clients before 2.0 read them.
  }

  @Override
  public void publishTableState(TableName table, Optional<TableState.State> tableState) {
    // As above.
  }

  @Override
  public Optional<TableState.State> readTableState(TableName table) {
    return Optional.empty();
  }

  @Override
  public void publishGroups(Collection<ServerGroup> groups) throws IOException {
    List<ServerGroup> copy = List.copyOf(groups);
    request(zooKeeper -> zooKeeper.setGroups(copy));
  }

  @Override
  public List<ServerGroup> readGroups() throws IOException {
    List<ServerGroup> found = new ArrayList<>();
    request(zooKeeper -> found.addAll(zooKeeper.groups()));
    return found;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      send(zooKeeper -> zooKeeper.end(id));
    }
  }
}
