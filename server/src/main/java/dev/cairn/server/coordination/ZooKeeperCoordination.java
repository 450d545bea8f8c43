package dev.cairn.server.coordination;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's shared state in ZooKeeper, in the znodes that HBase uses. After a lost connection
 * everything is read again, however long it was lost, because a ZooKeeper that was away extends all
 * sessions when it is back. After the end of the session, nothing is read or written.
 */
public final class ZooKeeperCoordination implements Coordination {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperCoordination.class);

  /** The time for which a stopping server waits for an interrupted connection. */
  private static final int RECONNECT_TIMEOUT_MILLIS = 2_000;

  /** The time within which a watch reports a change of this session. */
  private static final Duration NOTICE_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration NOTICE_PAUSE = Duration.ofMillis(2);

  private final CuratorFramework client;
  private final OneSession sessions;
  private final ZnodeAccess access;
  private final Znodes znodes;
  private final String quorum;
  private final Clock clock;
  private final MasterElection election;
  private final PublishedZnodes published;
  private final WatchedState watched;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private volatile SessionLease lease;

  /** The znode of this session's region server. */
  private volatile Optional<String> registration = Optional.empty();

  private volatile boolean closed;

  private ZooKeeperCoordination(
      CuratorFramework client, OneSession sessions, Znodes znodes, String quorum, Clock clock) {
    this.clock = clock;
    this.sessions = sessions;
    this.client = client;
    this.access = new ZnodeAccess(client);
    this.znodes = znodes;
    this.quorum = quorum;
    this.election = new MasterElection(access, znodes);
    this.published = new PublishedZnodes(access);
    this.watched = new WatchedState(access, znodes, election, published);
  }

  /**
   * Loads the many classes that {@link #connect} needs: in a fresh JVM another thread can do so
   * while the server to connect to is still starting. Opens nothing.
   */
  public static void load() {
    CuratorFrameworkFactory.builder()
        .connectString("localhost")
        .retryPolicy(new ExponentialBackoffRetry(1, 1))
        .zkClientConfig(new QuickClientConfig())
        .build();
  }

  /**
   * Connects, makes the directories that HBase expects, and reads the present state.
   *
   * @param quorum {@code host:port,host:port}
   * @param parent the parent of all znodes, by default {@code /hbase}
   * @param sessionTimeoutMillis how long the quorum waits for a sign of life
   * @param wait how long to wait for the quorum
   * @throws IOException naming the quorum and what its servers answer, if it cannot be reached
   */
  public static ZooKeeperCoordination connect(
      String quorum,
      String parent,
      int sessionTimeoutMillis,
      ThreadFactory threads,
      Clock clock,
      ConnectWait wait)
      throws IOException {
    AtomicReference<ZooKeeperCoordination> connected = new AtomicReference<>();
    OneSession sessions = new OneSession(() -> connected.get().sessionOver(), clock);
    CuratorFramework client =
        CuratorFrameworkFactory.builder()
            .connectString(quorum)
            .zookeeperFactory(sessions)
            .sessionTimeoutMs(sessionTimeoutMillis)
            .connectionTimeoutMs(Math.min(wait.giveUpMillis(), sessionTimeoutMillis))
            .retryPolicy(new ExponentialBackoffRetry(50, 6))
            .threadFactory(threads)
            .ensembleTracker(false)
            .zkClientConfig(new QuickClientConfig())
            .build();
    ZooKeeperCoordination coordination =
        new ZooKeeperCoordination(client, sessions, new Znodes(parent), quorum, clock);
    connected.set(coordination);
    try {
      client.getConnectionStateListenable().addListener((c, s) -> coordination.connection(s));
      client.getUnhandledErrorListenable().addListener(ZooKeeperCoordination::unhandled);
      SessionLease.Sent begun = SessionLease.Sent.now(clock);
      client.start();
      awaitConnection(client, quorum, wait);
      coordination.connected(begun);
      coordination.attempt("prepare its znodes", coordination.watched::prepare);
      coordination.watched.watch();
      return coordination;
    } catch (InterruptedException e) {
      coordination.close();
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while connecting to ZooKeeper at " + quorum, e);
    } catch (IOException | RuntimeException e) {
      coordination.close();
      throw e;
    }
  }

  /** Logs programming errors. Losses of connections and sessions are reported where they matter. */
  private static void unhandled(String what, Throwable error) {
    if (error instanceof RuntimeException || error instanceof Error) {
      LOG.error("Work with ZooKeeper met a programming error: {}", what, error);
    } else {
      LOG.debug("{}", what, error);
    }
  }

  private static void awaitConnection(CuratorFramework client, String quorum, ConnectWait wait)
      throws IOException, InterruptedException {
    if (client.blockUntilConnected(wait.noticeMillis(), TimeUnit.MILLISECONDS)) {
      return;
    }
    wait.notice().accept("Waiting for ZooKeeper at " + quorum + " (hbase.zookeeper.quorum)");
    int rest = wait.giveUpMillis() - wait.noticeMillis();
    if (!client.blockUntilConnected(rest, TimeUnit.MILLISECONDS)) {
      throw new IOException(
          "No ZooKeeper answers at "
              + quorum
              + " (hbase.zookeeper.quorum): "
              + QuorumProbe.explain(quorum)
              + ". With hbase.cluster.distributed=true Cairn runs no ZooKeeper itself");
    }
  }

  private void connected(SessionLease.Sent begun) {
    OneSession.Handle opened = sessions.begun();
    lease = new SessionLease(clock, begun, opened.timeoutMillis());
  }

  @Override
  public ClusterState state() {
    return watched.get();
  }

  @Override
  public void listen(Listener listener) {
    watched.listen(listener);
  }

  @Override
  public void registerMaster(ServerName self, int infoPort) throws IOException {
    attempt("register as master", () -> election.enter(self, infoPort));
    // The master before may have gone before this one was entered.
    watched.watchMaster();
  }

  @Override
  public SessionLease lease() {
    return lease;
  }

  @Override
  public void renewLease() {
    if (closed || !renewing.compareAndSet(false, true)) {
      return;
    }
    SessionLease.Sent sent = SessionLease.Sent.now(clock);
    // Asks on this session alone: a later session does not keep this one's registration.
    Optional<String> own = registration;
    // If the registration is gone, a master may have given up the server.
    String znode = own.orElseGet(znodes::regionServers);
    // The ZooKeeper server of this session may lag behind the quorum, so it syncs first.
    AtomicInteger synced = new AtomicInteger(Code.CONNECTIONLOSS.intValue());
    ZooKeeper session = sessions.current();
    session.sync(znode, (code, path, context) -> synced.set(code), null);
    session.exists(
        znode,
        false,
        (code, path, context, found) -> {
          renewing.set(false);
          boolean isThere =
              code == Code.OK.intValue() || code == Code.NONODE.intValue() && own.isEmpty();
          // After a failed sync, the answer may come from another server that lags behind.
          if (isThere && synced.get() == Code.OK.intValue()) {
            lease.confirmed(sent);
          }
        },
        null);
  }

  @Override
  public Set<ServerName> readRegionServers() throws IOException {
    Set<ServerName> found = new HashSet<>();
    attempt(
        "list the region servers",
        () -> {
          // The ZooKeeper server of this session may lag behind the quorum, so it syncs first.
          client.sync().forPath(znodes.regionServers());
          found.addAll(ZnodeMessages.parseServers(access.children(znodes.regionServers())));
        });
    return found;
  }

  @Override
  public String readDataId() throws IOException {
    AtomicReference<String> found = new AtomicReference<>("");
    attempt(
        "read the identity of its data",
        () -> {
          // The ZooKeeper server of this session may lag behind the quorum, so it syncs first.
          client.sync().forPath(znodes.regionServers());
          Stat directory = access.createdStat(znodes.regionServers());
          found.set(Long.toHexString(directory.getCzxid()) + "-" + directory.getCtime());
        });
    return found.get();
  }

  @Override
  public Optional<ServerName> readActiveMaster() throws IOException {
    AtomicReference<Optional<ServerName>> found = new AtomicReference<>(Optional.empty());
    attempt(
        "read the active master",
        () -> {
          // The server of this session may lag behind the quorum. It does both in this order.
          client.sync().forPath(znodes.master());
          found.set(
              access
                  .read(znodes.master())
                  .flatMap(bytes -> ZnodeMessages.parseMaster(znodes.master(), bytes)));
        });
    return found.get();
  }

  @Override
  public void registerRegionServer(ServerName self, int infoPort) throws IOException {
    attempt(
        "register the region server " + self,
        () ->
            access.createEphemeral(
                znodes.regionServer(self), ZnodeMessages.regionServer(self, infoPort)));
    registration = Optional.of(znodes.regionServer(self));
  }

  @Override
  public void unregisterMaster(ServerName master) throws IOException {
    if (readActiveMaster().equals(Optional.of(master))) {
      attempt("unregister the master " + master, () -> access.delete(znodes.master()));
    }
  }

  @Override
  public boolean unregisterRegionServer(ServerName server) throws IOException {
    AtomicBoolean registered = new AtomicBoolean();
    attempt(
        "unregister the region server " + server,
        () -> {
          // Without a connection it would be tried for a quarter minute.
          if (!client.getZookeeperClient().isConnected()
              && !client.blockUntilConnected(RECONNECT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new IOException("there is no connection");
          }
          registered.set(access.delete(znodes.regionServer(server)));
        });
    return registered.get();
  }

  @Override
  public void markDraining(ServerName server, boolean draining) throws IOException {
    attempt(
        (draining ? "mark " : "unmark ") + server + " as draining",
        () -> {
          if (draining) {
            access.create(znodes.drainingServer(server), new byte[0]);
          } else {
            access.delete(znodes.drainingServer(server));
          }
          long end = clock.nanoTime() + NOTICE_TIMEOUT.toNanos();
          while (state().draining().contains(server) != draining) {
            if (clock.nanoTime() > end) {
              throw new IOException("there is no notice of the change");
            }
            clock.park(NOTICE_PAUSE.toNanos());
          }
        });
  }

  @Override
  public void publishMetaLocation(ServerName server) throws IOException {
    attempt(
        "publish the location of hbase:meta",
        () -> published.write(znodes.metaLocation(), ZnodeMessages.metaLocation(server)));
    watched.update(old -> old.withMetaLocation(Optional.of(server)));
  }

  @Override
  public void publishMetaReplica(int id, Optional<ServerName> server) throws IOException {
    attempt(
        "publish the location of replica " + id + " of hbase:meta",
        () -> {
          if (server.isPresent()) {
            published.write(znodes.metaReplica(id), ZnodeMessages.metaLocation(server.get()));
          } else {
            published.delete(znodes.metaReplica(id));
          }
        });
    watched.update(old -> old.withMetaReplica(id, server));
  }

  @Override
  public void publishClusterId(String clusterId) throws IOException {
    attempt(
        "publish the cluster's id",
        () -> published.write(znodes.clusterId(), ZnodeMessages.clusterId(clusterId)));
    watched.update(old -> old.withClusterId(Optional.of(clusterId)));
  }

  @Override
  public void publishClusterUp(boolean up) throws IOException {
    byte[] running = ZnodeMessages.running(Instant.ofEpochMilli(clock.currentTimeMillis()));
    attempt(
        "publish whether the cluster is up",
        () -> {
          if (up) {
            published.write(znodes.running(), running);
          } else {
            published.delete(znodes.running());
          }
        });
    watched.update(old -> old.withUp(up));
  }

  @Override
  public void publishTableStates(Map<TableName, TableState.State> states) throws IOException {
    Map<String, TableState.State> expected = new HashMap<>();
    states.forEach((table, state) -> expected.put(znodes.table(table), state));
    attempt(
        "publish the states of the tables",
        () -> {
          for (String name : access.children(znodes.tables())) {
            String path = znodes.tables() + "/" + name;
            if (!expected.containsKey(path)) {
              published.delete(path);
            }
          }
          for (Map.Entry<String, TableState.State> entry : expected.entrySet()) {
            byte[] data = ZnodeMessages.tableState(entry.getValue());
            // A write costs a sync of ZooKeeper's log, and few states have changed.
            if (access.read(entry.getKey()).filter(old -> Arrays.equals(old, data)).isPresent()) {
              published.take(entry.getKey(), data);
            } else {
              published.write(entry.getKey(), data);
            }
          }
        });
  }

  @Override
  public void publishTableState(TableName table, Optional<TableState.State> state)
      throws IOException {
    attempt(
        "publish the state of the table " + table,
        () -> {
          if (state.isPresent()) {
            published.write(znodes.table(table), ZnodeMessages.tableState(state.get()));
          } else {
            published.delete(znodes.table(table));
          }
        });
  }

  @Override
  public Optional<TableState.State> readTableState(TableName table) throws IOException {
    AtomicReference<Optional<TableState.State>> found = new AtomicReference<>(Optional.empty());
    attempt(
        "read the state of the table " + table,
        () -> {
          String znode = znodes.table(table);
          found.set(
              access.read(znode).flatMap(bytes -> ZnodeMessages.parseTableState(znode, bytes)));
        });
    return found.get();
  }

  @Override
  public void publishGroups(Collection<ServerGroup> groups) throws IOException {
    Map<String, byte[]> expected = new HashMap<>();
    groups.forEach(
        group -> expected.put(znodes.groups() + "/" + group.name(), ZnodeMessages.group(group)));
    attempt(
        "publish the groups of region servers",
        () -> {
          published.write(znodes.groups(), ZnodeMessages.groups());
          for (String name : access.children(znodes.groups())) {
            String path = znodes.groups() + "/" + name;
            if (!expected.containsKey(path)) {
              published.delete(path);
            }
          }
          for (Map.Entry<String, byte[]> entry : expected.entrySet()) {
            byte[] data = entry.getValue();
            if (access.read(entry.getKey()).filter(old -> Arrays.equals(old, data)).isPresent()) {
              published.take(entry.getKey(), data);
            } else {
              published.write(entry.getKey(), data);
            }
          }
        });
  }

  @Override
  public List<ServerGroup> readGroups() throws IOException {
    List<ServerGroup> groups = new ArrayList<>();
    attempt(
        "read the groups of region servers",
        () -> {
          groups.clear();
          if (access.read(znodes.groups()).isEmpty()) {
            return;
          }
          for (String name : access.children(znodes.groups())) {
            String path = znodes.groups() + "/" + name;
            access
                .read(path)
                .flatMap(bytes -> ZnodeMessages.parseGroup(path, bytes))
                .ifPresent(groups::add);
          }
        });
    return groups;
  }

  @Override
  public void close() {
    closed = true;
    sessions.closing();
    client.close();
  }

  private void sessionOver() {
    if (!closed) {
      watched.sessionLost("ZooKeeper at " + quorum + " has ended the session");
    }
  }

  private void connection(ConnectionState now) {
    switch (now) {
      case RECONNECTED -> {
        onLease(SessionLease::connected);
        watched.watch();
      }
      case SUSPENDED -> {
        onLease(SessionLease::disconnected);
        LOG.warn("No connection to ZooKeeper at {}; trying again", quorum);
      }
      default -> {}
    }
  }

  /** Tells the lease that the connection has changed, unless the session is being opened. */
  private void onLease(Consumer<SessionLease> change) {
    SessionLease present = lease;
    if (present != null) {
      change.accept(present);
    }
  }

  private void attempt(String what, ZnodeAccess.Work work) throws IOException {
    try {
      work.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while trying to " + what, e);
    } catch (Exception e) {
      throw new CoordinationException(
          "ZooKeeper at " + quorum + " could not " + what + ": " + e.getMessage(), e);
    }
  }
}
