package dev.cairn.server.coordination;

import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/**
 * The {@link ClusterState} as the znodes have it: it watches every znode that contributes to it.
 * Changes arrive on ZooKeeper's one event thread, which also calls the listeners. Thread-safe.
 */
final class WatchedState {
  private static final int ANSWER_TIMEOUT_MILLIS = 60_000;

  private final ZnodeAccess access;
  private final Znodes znodes;
  private final MasterElection election;
  private final PublishedZnodes published;
  private final List<Coordination.Listener> listeners = new CopyOnWriteArrayList<>();
  private final Object lock = new Object();

  /** Guarded by {@link #lock}. */
  private ClusterState state = ClusterState.EMPTY;

  /** Guarded by {@link #lock}; the reason. */
  private Optional<String> lost = Optional.empty();

  /**
   * Creates it, without a look at any znode.
   *
   * @param election enters this session's master again when there is no active one
   * @param published the znodes that this session's master has written
   */
  WatchedState(
      ZnodeAccess access, Znodes znodes, MasterElection election, PublishedZnodes published) {
    this.access = access;
    this.znodes = znodes;
    this.election = election;
    this.published = published;
  }

  ClusterState get() {
    synchronized (lock) {
      return state;
    }
  }

  /** Adds a listener, and tells it the present state. */
  void listen(Coordination.Listener listener) {
    Optional<String> reason;
    synchronized (lock) {
      listeners.add(listener);
      reason = lost;
    }
    listener.changed(get());
    reason.ifPresent(listener::sessionLost);
  }

  /** The session is over; tells that once. */
  void sessionLost(String reason) {
    synchronized (lock) {
      if (lost.isPresent()) {
        return;
      }
      lost = Optional.of(reason);
    }
    for (Coordination.Listener listener : listeners) {
      listener.sessionLost(reason);
    }
  }

  /** Changes the state, and tells if it is another one now. */
  void update(UnaryOperator<ClusterState> change) {
    ClusterState now;
    synchronized (lock) {
      now = change.apply(state);
      if (now.equals(state)) {
        return;
      }
      state = now;
    }
    for (Coordination.Listener listener : listeners) {
      listener.changed(now);
    }
  }

  /**
   * Makes the directories that HBase expects, and reads all of the state, without watches. All of
   * it is asked for before the first answer is waited for.
   */
  void prepare() throws Exception {
    List<String> directories = znodes.directories();
    access.create(directories.get(0), new byte[0]); // and those above
    List<CompletableFuture<Void>> created = new ArrayList<>();
    for (String directory : directories.subList(1, directories.size())) {
      created.add(access.beginCreate(directory, new byte[0]));
    }
    for (String path : znodes.switches()) {
      created.add(access.beginCreate(path, ZnodeMessages.switchedOn()));
    }
    CompletableFuture<Optional<byte[]>> clusterId = access.beginRead(znodes.clusterId());
    CompletableFuture<Optional<byte[]>> master = access.beginRead(znodes.master());
    CompletableFuture<List<String>> backups = access.beginChildren(znodes.backupMasters());
    CompletableFuture<Optional<byte[]>> meta = access.beginRead(znodes.metaLocation());
    CompletableFuture<List<String>> all = access.beginChildren(znodes.parent());
    CompletableFuture<List<String>> servers = access.beginChildren(znodes.regionServers());
    CompletableFuture<List<String>> draining = access.beginChildren(znodes.draining());
    CompletableFuture<Optional<byte[]>> running = access.beginRead(znodes.running());
    for (CompletableFuture<Void> one : created) {
      await(one);
    }
    SortedMap<Integer, CompletableFuture<Optional<byte[]>>> replicas = new TreeMap<>();
    for (int id : Znodes.metaReplicas(await(all))) {
      replicas.put(id, access.beginRead(znodes.metaReplica(id)));
    }
    SortedMap<Integer, ServerName> metaReplicas = new TreeMap<>();
    for (Map.Entry<Integer, CompletableFuture<Optional<byte[]>>> replica : replicas.entrySet()) {
      int id = replica.getKey();
      await(replica.getValue())
          .flatMap(bytes -> metaReplica(id, bytes))
          .ifPresent(server -> metaReplicas.put(id, server));
    }
    ClusterState read =
        new ClusterState(
            await(clusterId).flatMap(this::clusterId),
            await(master).flatMap(this::master),
            List.copyOf(ZnodeMessages.parseServers(await(backups))),
            await(meta).flatMap(this::metaLocation),
            metaReplicas,
            ZnodeMessages.parseServers(await(servers)),
            await(running).isPresent(),
            ZnodeMessages.parseServers(await(draining)));
    update(old -> read);
  }

  private static <T> T await(CompletableFuture<T> answer) throws Exception {
    try {
      return answer.get(ANSWER_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KeeperException known ? known : e;
    } catch (TimeoutException e) {
      throw new IOException("no answer in " + ANSWER_TIMEOUT_MILLIS + " ms", e);
    }
  }

  /** Reads and watches everything again; a lost connection ends all watches. */
  void watch() {
    access.watchData(
        znodes.clusterId(),
        bytes -> changed(znodes.clusterId(), bytes, old -> old.withClusterId(clusterId(bytes))),
        () -> removed(old -> old.withClusterId(Optional.empty())));
    watchMaster();
    access.watchData(
        znodes.metaLocation(),
        bytes ->
            changed(znodes.metaLocation(), bytes, old -> old.withMetaLocation(metaLocation(bytes))),
        () -> removed(old -> old.withMetaLocation(Optional.empty())));
    watchMetaReplicas();
    access.watchData(
        znodes.running(),
        bytes -> changed(znodes.running(), bytes, old -> old.withUp(true)),
        () -> removed(old -> old.withUp(false)));
    access.watchChildren(
        znodes.backupMasters(),
        names -> backups(List.copyOf(ZnodeMessages.parseServers(names))),
        () -> directoryRemoved(old -> old.withBackupMasters(List.of())));
    access.watchChildren(
        znodes.regionServers(),
        names -> update(old -> old.withRegionServers(ZnodeMessages.parseServers(names))),
        () -> directoryRemoved(old -> old.withRegionServers(Set.of())));
    access.watchChildren(
        znodes.draining(),
        names -> update(old -> old.withDraining(ZnodeMessages.parseServers(names))),
        () -> directoryRemoved(old -> old.withDraining(Set.of())));
  }

  /** Watches the znodes of replicas of {@code hbase:meta}, also of those that appear later. */
  private void watchMetaReplicas() {
    Set<Integer> known = new HashSet<>(); // for ZooKeeper's event thread only
    access.watchChildren(
        znodes.parent(),
        names -> {
          Set<Integer> present = Znodes.metaReplicas(names);
          for (int id : get().metaReplicas().keySet()) {
            if (!present.contains(id) && !known.contains(id)) { // removed without a watch
              removed(old -> old.withMetaReplica(id, Optional.empty()));
            }
          }
          for (int id : present) {
            if (known.add(id)) {
              watchMetaReplica(id);
            }
          }
        },
        () -> {});
  }

  private void watchMetaReplica(int id) {
    String znode = znodes.metaReplica(id);
    access.watchData(
        znode,
        bytes -> changed(znode, bytes, old -> old.withMetaReplica(id, metaReplica(id, bytes))),
        () -> removed(old -> old.withMetaReplica(id, Optional.empty())));
  }

  private void backups(List<ServerName> now) {
    update(old -> old.withBackupMasters(now));
    election.checkBackups(get());
  }

  /** Handles the data of a master's znode: this session's master writes its own if it leads. */
  private void changed(String path, byte[] data, UnaryOperator<ClusterState> change) {
    update(change);
    if (election.leads(get())) {
      published.restore(path, data);
    }
  }

  /** Handles the absence of a master's znode: this session's master writes it if it leads. */
  private void removed(UnaryOperator<ClusterState> change) {
    update(change);
    if (election.leads(get())) {
      published.restore();
    }
  }

  /** Handles the deletion of a directory: creates all missing ones. Does not wait. */
  private void directoryRemoved(UnaryOperator<ClusterState> change) {
    update(change);
    for (String directory : znodes.directories()) {
      access.createInBackground(directory, CreateMode.PERSISTENT, new byte[0], () -> {});
    }
    for (String path : znodes.switches()) {
      access.createInBackground(path, CreateMode.PERSISTENT, ZnodeMessages.switchedOn(), () -> {});
    }
    election.checkBackups(get());
  }

  /** Reads the active master again, and watches it. */
  void watchMaster() {
    access.watchData(
        znodes.master(),
        bytes -> {
          update(old -> old.withActiveMaster(master(bytes)));
          if (election.leads(get())) {
            published.restore(); // Some may have vanished while no master was active.
          }
        },
        () -> {
          update(old -> old.withActiveMaster(Optional.empty()));
          election.vacant();
        });
  }

  private Optional<String> clusterId(byte[] bytes) {
    return ZnodeMessages.parseClusterId(znodes.clusterId(), bytes);
  }

  private Optional<ServerName> master(byte[] bytes) {
    return ZnodeMessages.parseMaster(znodes.master(), bytes);
  }

  private Optional<ServerName> metaReplica(int id, byte[] bytes) {
    return ZnodeMessages.parseMetaLocation(znodes.metaReplica(id), bytes);
  }

  private Optional<ServerName> metaLocation(byte[] bytes) {
    return ZnodeMessages.parseMetaLocation(znodes.metaLocation(), bytes);
  }
}
