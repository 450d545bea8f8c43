package dev.cairn.torture.cluster;

import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.torture.scheduler.Machine;
import dev.cairn.torture.scheduler.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A simulated ZooKeeper ensemble: sessions with timeouts, and the znodes of the cluster. A session
 * expires when no request of it arrives within its timeout; its registrations end with it. While
 * the ensemble is away, no session expires. The state changes outside all machines, when requests
 * arrive.
 *
 * <p>An outage ends in one of two ways. An ensemble that was down restarts the timeouts of all
 * sessions. One that was frozen has received requests, and ends the sessions from which it has
 * heard nothing for too long, before or after it handles these requests.
 */
final class ZooKeeperService {
  /** The place of the ensemble in the network. */
  static final String PLACE = "zookeeper";

  private final Scheduler scheduler;
  private final Network network;
  private final Machine machine;
  private final long timeoutNanos;
  private final Map<Long, Session> sessions = new TreeMap<>();
  private final Map<ServerName, Long> regionServers = new TreeMap<>();

  /** In the order in which they registered; the first is active. */
  private final Map<ServerName, Long> masters = new LinkedHashMap<>();

  private Optional<String> clusterId = Optional.empty();
  private Optional<ServerName> metaLocation = Optional.empty();
  private final SortedMap<Integer, ServerName> metaReplicas = new TreeMap<>();
  private final Set<ServerName> draining = new TreeSet<>();
  private boolean up;
  private List<ServerGroup> groups = List.of();
  private long dataId;
  private long ids;
  private boolean away;
  private boolean frozen;
  private long expired;
  private long thaws;

  /** Requests that arrived while the ensemble was frozen. */
  private final List<Runnable> received = new ArrayList<>();

  /** A client's session, as the ensemble knows it. */
  private static final class Session {
    private final ZooKeeperSession client;
    private long heardNanos;

    private Session(ZooKeeperSession client, long heardNanos) {
      this.client = client;
      this.heardNanos = heardNanos;
    }
  }

  ZooKeeperService(Scheduler scheduler, Network network, Duration timeout) {
    this.scheduler = scheduler;
    this.network = network;
    this.machine = scheduler.machine(PLACE);
    this.timeoutNanos = timeout.toNanos();
    checkSessions();
  }

  /** Returns the groups of region servers that a master has published. */
  List<ServerGroup> groups() {
    return groups;
  }

  void setGroups(List<ServerGroup> now) {
    groups = now;
  }

  /** Returns the machine of the ensemble. */
  Machine machine() {
    return machine;
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  /** Returns the number of expired sessions. */
  long expired() {
    return expired;
  }

  /** Stops the ensemble: requests are lost. */
  void goAway() {
    away = true;
    frozen = false;
    received.clear();
  }

  /** Freezes the ensemble, unless it is away: requests arrive and are not answered. */
  void freeze() {
    frozen |= !away;
    away = true;
  }

  /** Ends {@link #goAway} or {@link #freeze}. */
  void comeBack() {
    away = false;
    if (!frozen) {
      sessions.values().forEach(session -> session.heardNanos = scheduler.nanos());
      return;
    }
    frozen = false;
    if (thaws++ % 2 == 0) {
      expire();
    }
    List<Runnable> requests = List.copyOf(received);
    received.clear();
    requests.forEach(Runnable::run);
    expire();
  }

  /** Handles a request that has arrived. */
  void handle(Runnable request) {
    if (!away) {
      request.run();
    } else if (frozen) {
      received.add(request);
    }
  }

  boolean isAway() {
    return away;
  }

  /** Returns the present state. */
  ClusterState state() {
    List<ServerName> waiting = new ArrayList<>(masters.keySet());
    Optional<ServerName> active =
        waiting.isEmpty() ? Optional.empty() : Optional.of(waiting.remove(0));
    return new ClusterState(
        clusterId,
        active,
        waiting,
        metaLocation,
        metaReplicas,
        regionServers.keySet(),
        up,
        draining);
  }

  /** Begins a session. */
  long begin(ZooKeeperSession client) {
    long id = ++ids;
    sessions.put(id, new Session(client, scheduler.nanos()));
    return id;
  }

  /** Records a request of a session. Returns false if the session has ended. */
  boolean heard(long id) {
    Session session = sessions.get(id);
    if (session != null) {
      session.heardNanos = scheduler.nanos();
    }
    return session != null;
  }

  /** Ends a session and its registrations. */
  void end(long id) {
    if (sessions.remove(id) != null) {
      boolean changed = masters.values().removeIf(owner -> owner == id);
      changed |= regionServers.values().removeIf(owner -> owner == id);
      if (changed) {
        changed();
      }
    }
  }

  void addMaster(long session, ServerName name) {
    masters.keySet().removeIf(other -> other.sameAddress(name) && !other.equals(name));
    masters.putIfAbsent(name, session);
    changed();
  }

  /** Removes a master's registration, if that master leads. */
  void removeMaster(ServerName name) {
    if (state().activeMaster().filter(name::equals).isPresent()) {
      masters.remove(name);
      changed();
    }
  }

  void addRegionServer(long session, ServerName name) {
    regionServers.putIfAbsent(name, session);
    changed();
  }

  boolean isRegistered(ServerName name) {
    return regionServers.containsKey(name);
  }

  /** Returns whether the server was registered. */
  boolean removeRegionServer(ServerName name) {
    boolean removed = regionServers.remove(name) != null;
    if (removed) {
      changed();
    }
    return removed;
  }

  void setMetaLocation(ServerName name) {
    metaLocation = Optional.of(name);
    changed();
  }

  /** Replaces the server of a replica of {@code hbase:meta}, or removes it. */
  void setMetaReplica(int id, Optional<ServerName> server) {
    server.ifPresentOrElse(name -> metaReplicas.put(id, name), () -> metaReplicas.remove(id));
    changed();
  }

  /** Adds or removes the mark of a draining server. */
  void markDraining(ServerName name, boolean mark) {
    if (mark ? draining.add(name) : draining.remove(name)) {
      changed();
    }
  }

  void setClusterId(String id) {
    clusterId = Optional.of(id);
    changed();
  }

  void setUp(boolean value) {
    up = value;
    changed();
  }

  /** Deletes all state, as if an administrator had deleted {@code /hbase}. */
  void wipe() {
    clusterId = Optional.empty();
    metaLocation = Optional.empty();
    metaReplicas.clear();
    groups = List.of();
    masters.clear();
    regionServers.clear();
    draining.clear();
    up = false;
    dataId++;
    changed();
  }

  /** Returns how often all state was deleted. */
  long dataId() {
    return dataId;
  }

  /** Sends an event to all sessions. Its receiver reads the state when the event arrives. */
  private void changed() {
    for (Session session : sessions.values()) {
      tell(session.client.machine(), () -> session.client.received(this::state));
    }
  }

  private void tell(Machine client, Runnable event) {
    if (!network.deliver(machine, client.name(), event)) {
      // A connection resends lost data; a cut one ends, and the client reads again.
      scheduler.after(timeoutNanos / 10, () -> tell(client, event));
    }
  }

  private void checkSessions() {
    if (!away) {
      expire();
    }
    scheduler.after(timeoutNanos / 20, this::checkSessions);
  }

  private void expire() {
    List<Long> over = new ArrayList<>();
    sessions.forEach(
        (id, session) -> {
          if (scheduler.nanos() - session.heardNanos > timeoutNanos) {
            over.add(id);
          }
        });
    expired += over.size();
    over.forEach(this::end);
  }
}
