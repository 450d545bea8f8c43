package dev.cairn.server.coordination;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ZooKeeperProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's shared state in ZooKeeper, in the znodes that HBase uses.
 *
 * <p>Every znode that makes up {@link ClusterState} is watched; after a lost connection everything
 * is read again. What changed is told on ZooKeeper's one event thread, which also calls the
 * listeners.
 */
public final class ZooKeeperCoordination implements Coordination {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperCoordination.class);
  private static final int CONNECT_TIMEOUT_MILLIS = 15_000;
  private static final int ANSWER_TIMEOUT_MILLIS = 60_000;

  /** How long a server that stops waits for a connection that is interrupted. */
  private static final int RECONNECT_TIMEOUT_MILLIS = 2_000;

  /** The version of HBase's protocol between servers; clients only carry it along. */
  private static final int RPC_VERSION = 0;

  private final CuratorFramework client;
  private final ZnodeAccess access;
  private final Znodes znodes;
  private final String quorum;
  private final Clock clock;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final Object lock = new Object();

  /** Guarded by {@link #lock}. */
  private ClusterState state = ClusterState.EMPTY;

  /** Guarded by {@link #lock}. */
  private Optional<Candidate> candidate = Optional.empty();

  /** Guarded by {@link #lock}; the reason. */
  private Optional<String> lost = Optional.empty();

  private volatile boolean closed;

  private record Candidate(ServerName self, int infoPort) {}

  private ZooKeeperCoordination(
      CuratorFramework client, Znodes znodes, String quorum, Clock clock) {
    this.clock = clock;
    this.client = client;
    this.access = new ZnodeAccess(client);
    this.znodes = znodes;
    this.quorum = quorum;
  }

  /**
   * Loads the classes that {@link #connect} needs, of which there are many: in a fresh JVM another
   * thread can do so while the server to connect to is still starting. Opens nothing.
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
   * @throws IOException naming the quorum, if it cannot be reached
   */
  public static ZooKeeperCoordination connect(
      String quorum, String parent, int sessionTimeoutMillis, ThreadFactory threads, Clock clock)
      throws IOException {
    CuratorFramework client =
        CuratorFrameworkFactory.builder()
            .connectString(quorum)
            .sessionTimeoutMs(sessionTimeoutMillis)
            .connectionTimeoutMs(CONNECT_TIMEOUT_MILLIS)
            .retryPolicy(new ExponentialBackoffRetry(50, 6))
            .threadFactory(threads)
            .ensembleTracker(false)
            .zkClientConfig(new QuickClientConfig())
            .build();
    ZooKeeperCoordination coordination =
        new ZooKeeperCoordination(client, new Znodes(parent), quorum, clock);
    try {
      client.getConnectionStateListenable().addListener((c, s) -> coordination.connection(s));
      client.start();
      if (!client.blockUntilConnected(CONNECT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IOException("No ZooKeeper answers at " + quorum + "; see hbase.zookeeper.quorum");
      }
      coordination.prepare();
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

  @Override
  public ClusterState state() {
    synchronized (lock) {
      return state;
    }
  }

  @Override
  public void listen(Listener listener) {
    Optional<String> reason;
    synchronized (lock) {
      listeners.add(listener);
      reason = lost;
    }
    listener.changed(state());
    reason.ifPresent(listener::sessionLost);
  }

  @Override
  public void registerMaster(ServerName self, int infoPort) throws IOException {
    Candidate entry = new Candidate(self, infoPort);
    attempt("register as master", () -> tryToLead(entry));
    synchronized (lock) {
      candidate = Optional.of(entry);
    }
    // The master before may have gone between the attempt and the line above.
    refreshMaster();
  }

  @Override
  public void registerRegionServer(ServerName self, int infoPort) throws IOException {
    Message info =
        HBaseProtos.RegionServerInfo.newBuilder()
            .setInfoPort(infoPort)
            .setVersionInfo(version())
            .build();
    attempt(
        "register the region server " + self,
        () -> access.createEphemeral(znodes.regionServer(self), encode(self, info)));
  }

  @Override
  public void unregisterRegionServer(ServerName server) throws IOException {
    attempt(
        "unregister the region server " + server,
        () -> {
          // Without a connection it would be tried for a quarter minute.
          if (!client.getZookeeperClient().isConnected()
              && !client.blockUntilConnected(RECONNECT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new IOException("there is no connection");
          }
          access.delete(znodes.regionServer(server));
        });
  }

  @Override
  public void publishMetaLocation(ServerName server) throws IOException {
    Message location =
        ZooKeeperProtos.MetaRegionServer.newBuilder()
            .setServer(server.message())
            .setRpcVersion(RPC_VERSION)
            .setState(ClusterStatusProtos.RegionState.State.OPEN)
            .build();
    attempt(
        "publish the location of hbase:meta",
        () -> access.write(znodes.metaLocation(), ZnodeFormat.encode("master", location)));
    update(old -> old.withMetaLocation(Optional.of(server)));
  }

  @Override
  public void publishClusterId(String clusterId) throws IOException {
    Message id = ClusterIdProtos.ClusterId.newBuilder().setClusterId(clusterId).build();
    attempt(
        "publish the cluster's id",
        () -> access.write(znodes.clusterId(), ZnodeFormat.encode("master", id)));
    update(old -> old.withClusterId(Optional.of(clusterId)));
  }

  @Override
  public void publishClusterUp(boolean up) throws IOException {
    Message message =
        ZooKeeperProtos.ClusterUp.newBuilder()
            .setStartDate(Instant.ofEpochMilli(clock.currentTimeMillis()).toString())
            .build();
    attempt(
        "publish whether the cluster is up",
        () -> {
          if (up) {
            access.write(znodes.running(), ZnodeFormat.encode("master", message));
          } else {
            access.delete(znodes.running());
          }
        });
    update(old -> old.withUp(up));
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
              access.delete(path);
            }
          }
          for (Map.Entry<String, TableState.State> entry : expected.entrySet()) {
            byte[] data = tableData(entry.getValue());
            // A write costs a sync of ZooKeeper's log, and few states differ from what was said.
            if (!access.read(entry.getKey()).filter(old -> Arrays.equals(old, data)).isPresent()) {
              access.write(entry.getKey(), data);
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
            access.write(znodes.table(table), tableData(state.get()));
          } else {
            access.delete(znodes.table(table));
          }
        });
  }

  private static byte[] tableData(TableState.State state) {
    return ZnodeFormat.encode(
        "master",
        ZooKeeperProtos.DeprecatedTableState.newBuilder()
            .setState(ZooKeeperProtos.DeprecatedTableState.State.valueOf(state.name()))
            .build());
  }

  @Override
  public void close() {
    closed = true;
    client.close();
  }

  /**
   * Makes the directories, and reads all of the state before the first listener may ask, without
   * watches. All of it is asked for before the first answer is waited for.
   */
  private void prepare() throws IOException {
    attempt(
        "prepare its znodes",
        () -> {
          List<String> directories = znodes.directories();
          access.create(directories.get(0), new byte[0]); // and those above
          List<CompletableFuture<Void>> created = new ArrayList<>();
          for (String directory : directories.subList(1, directories.size())) {
            created.add(access.beginCreate(directory, new byte[0]));
          }
          Message on = ZooKeeperProtos.SwitchState.newBuilder().setEnabled(true).build();
          for (String path : znodes.switches()) {
            created.add(access.beginCreate(path, ZnodeFormat.encode("master", on)));
          }
          CompletableFuture<Optional<byte[]>> clusterId = access.beginRead(znodes.clusterId());
          CompletableFuture<Optional<byte[]>> master = access.beginRead(znodes.master());
          CompletableFuture<List<String>> backups = access.beginChildren(znodes.backupMasters());
          CompletableFuture<Optional<byte[]>> meta = access.beginRead(znodes.metaLocation());
          CompletableFuture<List<String>> servers = access.beginChildren(znodes.regionServers());
          CompletableFuture<Optional<byte[]>> running = access.beginRead(znodes.running());
          for (CompletableFuture<Void> one : created) {
            get(one);
          }
          ClusterState read =
              new ClusterState(
                  get(clusterId).flatMap(bytes -> parse(znodes.clusterId(), bytes, CLUSTER)),
                  get(master).flatMap(bytes -> parse(znodes.master(), bytes, MASTER)),
                  List.copyOf(servers(get(backups))),
                  get(meta).flatMap(bytes -> parse(znodes.metaLocation(), bytes, META)),
                  servers(get(servers)),
                  get(running).isPresent());
          update(old -> read);
        });
    refresh();
  }

  private static <T> T get(CompletableFuture<T> answer) throws Exception {
    try {
      return answer.get(ANSWER_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KeeperException known ? known : e;
    } catch (TimeoutException e) {
      throw new IOException("no answer in " + ANSWER_TIMEOUT_MILLIS + " ms", e);
    }
  }

  private void refresh() {
    access.watchData(
        znodes.clusterId(),
        bytes -> update(old -> old.withClusterId(parse(znodes.clusterId(), bytes, CLUSTER))),
        () -> update(old -> old.withClusterId(Optional.empty())));
    refreshMaster();
    access.watchData(
        znodes.metaLocation(),
        bytes -> update(old -> old.withMetaLocation(parse(znodes.metaLocation(), bytes, META))),
        () -> update(old -> old.withMetaLocation(Optional.empty())));
    access.watchData(
        znodes.running(),
        bytes -> update(old -> old.withUp(true)),
        () -> update(old -> old.withUp(false)));
    access.watchChildren(
        znodes.backupMasters(),
        names -> update(old -> old.withBackupMasters(List.copyOf(servers(names)))));
    access.watchChildren(
        znodes.regionServers(), names -> update(old -> old.withRegionServers(servers(names))));
  }

  private void refreshMaster() {
    access.watchData(
        znodes.master(),
        bytes -> update(old -> old.withActiveMaster(parse(znodes.master(), bytes, MASTER))),
        () -> {
          update(old -> old.withActiveMaster(Optional.empty()));
          Optional<Candidate> waiting;
          synchronized (lock) {
            waiting = candidate;
          }
          waiting.ifPresent(this::leadInBackground);
        });
  }

  private void leadInBackground(Candidate waiting) {
    try {
      client
          .create()
          .withMode(CreateMode.EPHEMERAL)
          .inBackground(
              (c, event) -> {
                if (event.getResultCode() == Code.OK.intValue()) {
                  client
                      .delete()
                      .quietly()
                      .inBackground()
                      .forPath(znodes.backupMaster(waiting.self()));
                }
              })
          .forPath(znodes.master(), masterData(waiting));
    } catch (Exception e) {
      LOG.warn("Could not ask to become the active master; the next change asks again", e);
    }
  }

  private void tryToLead(Candidate entry) throws Exception {
    for (int attempt = 0; attempt < 2; attempt++) {
      try {
        access.createEphemeral(znodes.master(), masterData(entry));
        access.delete(znodes.backupMaster(entry.self()));
        return;
      } catch (KeeperException.NodeExistsException e) {
        Optional<ServerName> present =
            access.read(znodes.master()).flatMap(bytes -> parse(znodes.master(), bytes, MASTER));
        // This process holds the port, so a master of the same address is dead.
        if (present.isEmpty() || !present.get().sameAddress(entry.self())) {
          break;
        }
        access.delete(znodes.master());
      }
    }
    access.createEphemeral(znodes.backupMaster(entry.self()), masterData(entry));
  }

  private static byte[] masterData(Candidate candidate) {
    return encode(
        candidate.self(),
        ZooKeeperProtos.Master.newBuilder()
            .setMaster(candidate.self().message())
            .setRpcVersion(RPC_VERSION)
            .setInfoPort(candidate.infoPort())
            .build());
  }

  private static byte[] encode(ServerName writer, Message message) {
    return ZnodeFormat.encode(writer.hostAndPort(), message);
  }

  private void connection(ConnectionState now) {
    switch (now) {
      case LOST -> {
        String reason =
            "The session with ZooKeeper at " + quorum + " is over: no contact for too long";
        synchronized (lock) {
          if (closed || lost.isPresent()) {
            return;
          }
          lost = Optional.of(reason);
        }
        for (Listener listener : listeners) {
          listener.sessionLost(reason);
        }
      }
      case RECONNECTED -> refresh();
      case SUSPENDED -> LOG.warn("No connection to ZooKeeper at {}; trying again", quorum);
      default -> {}
    }
  }

  private void update(UnaryOperator<ClusterState> change) {
    ClusterState now;
    synchronized (lock) {
      now = change.apply(state);
      if (now.equals(state)) {
        return;
      }
      state = now;
    }
    for (Listener listener : listeners) {
      listener.changed(now);
    }
  }

  private interface Parser<T> {
    T parse(byte[] message) throws IOException;
  }

  private static final Parser<String> CLUSTER =
      bytes -> ClusterIdProtos.ClusterId.parseFrom(bytes).getClusterId();
  private static final Parser<ServerName> MASTER =
      bytes -> ServerName.of(ZooKeeperProtos.Master.parseFrom(bytes).getMaster());
  private static final Parser<ServerName> META =
      bytes -> ServerName.of(ZooKeeperProtos.MetaRegionServer.parseFrom(bytes).getServer());

  private static <T> Optional<T> parse(String znode, byte[] bytes, Parser<T> parser) {
    try {
      return Optional.of(parser.parse(ZnodeFormat.decode(bytes, znode)));
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("The znode {} cannot be read and counts as absent: {}", znode, e.getMessage());
      return Optional.empty();
    }
  }

  private static Set<ServerName> servers(List<String> names) {
    Set<ServerName> servers = new HashSet<>();
    for (String name : names) {
      try {
        servers.add(ServerName.parse(name));
      } catch (IllegalArgumentException e) {
        LOG.warn("A znode that names no server is ignored: {}", e.getMessage());
      }
    }
    return servers;
  }

  private void attempt(String what, ZnodeAccess.Work work) throws IOException {
    try {
      work.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while trying to " + what, e);
    } catch (Exception e) {
      throw new IOException(
          "ZooKeeper at " + quorum + " could not " + what + ": " + e.getMessage(), e);
    }
  }

  private static HBaseProtos.VersionInfo version() {
    return HBaseProtos.VersionInfo.newBuilder()
        .setVersion("2.6.4")
        .setUrl("cairn")
        .setRevision("")
        .setUser("")
        .setDate("")
        .setSrcChecksum("")
        .setVersionMajor(2)
        .setVersionMinor(6)
        .build();
  }
}
