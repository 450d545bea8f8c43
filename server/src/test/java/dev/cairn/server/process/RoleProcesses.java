package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.ConnectWait;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.CuttableConnection;
import dev.cairn.server.coordination.EmbeddedZooKeeper;
import dev.cairn.server.coordination.ZooKeeperCoordination;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.rpc.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts masters and region servers for a test, on one ZooKeeper and one storage in memory. A
 * master waits for one region server, and for no further ones.
 */
final class RoleProcesses implements BeforeEachCallback, AfterEachCallback {
  private final Storage storage = new MemoryStorage(Clock.SYSTEM);
  private final Map<String, String> settings;
  private EmbeddedZooKeeper zooKeeper;

  /** The way from the processes to ZooKeeper. */
  private CuttableConnection way;

  /**
   * Creates it.
   *
   * @param settings more keys of the processes
   */
  RoleProcesses(Map<String, String> settings) {
    this.settings = Map.copyOf(settings);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    zooKeeper =
        EmbeddedZooKeeper.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            0,
            Clock.SYSTEM,
            failure -> {});
    way = new CuttableConnection(zooKeeper.port());
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    way.close();
    zooKeeper.close();
  }

  /** Restarts ZooKeeper at the same port with nothing in it. */
  void emptyZooKeeper() throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), zooKeeper.port());
    way.cut();
    zooKeeper.close();
    zooKeeper = EmbeddedZooKeeper.start(address, Optional.empty(), 0, Clock.SYSTEM, failure -> {});
    way.restore();
  }

  /** Cuts the processes off from ZooKeeper; their sessions end after a while. */
  void cutFromZooKeeper() throws IOException {
    way.cut();
  }

  /** Ends {@link #cutFromZooKeeper}. */
  void connectToZooKeeper() {
    way.restore();
  }

  /** Opens a session of a test, which is never cut off. */
  Coordination observe() throws IOException {
    return ZooKeeperCoordination.connect(
        zooKeeper.connectString(),
        "/hbase",
        90_000,
        Executors.defaultThreadFactory(),
        Clock.SYSTEM,
        ConnectWait.silent());
  }

  /** Returns the storage of the processes. */
  Storage storage() {
    return storage;
  }

  /** Starts a process with one role. */
  CairnProcess start(ServerRole role) throws IOException {
    return start(role, storage);
  }

  /** Starts a process with one role on another storage. */
  CairnProcess start(ServerRole role, Storage root) throws IOException {
    return CairnProcess.start(
        config(),
        LiveConfig::withoutFile,
        root,
        Optional.empty(),
        Clock.SYSTEM,
        notice -> {},
        Set.of(role));
  }

  /** Restarts a process that has ended by itself. */
  CairnProcess startAgain(CairnProcess ended) throws IOException {
    return CairnProcess.startAgain(
        ended,
        config(),
        LiveConfig::withoutFile,
        storage,
        Optional.empty(),
        Clock.SYSTEM,
        notice -> {});
  }

  private SiteConfig config() {
    Map<String, String> site = new HashMap<>(ports());
    site.put("hbase.cluster.distributed", "true");
    site.put("hbase.zookeeper.quorum", "127.0.0.1:" + way.port());
    site.put("hbase.master.wait.on.regionservers.timeout", "0");
    site.put("hbase.master.wait.on.regionservers.interval", "0");
    site.putAll(settings);
    return new SiteConfig(site);
  }

  /** Starts a process with all roles and a ZooKeeper of its own. */
  CairnProcess startStandalone() throws IOException {
    Map<String, String> site = new HashMap<>(ports());
    site.put("hbase.zookeeper.property.clientPort", "0");
    return CairnProcess.start(new SiteConfig(site), storage, Optional.empty(), Clock.SYSTEM);
  }

  /** Connects a client to the cluster. */
  Connection connect() throws IOException {
    return connect(zooKeeper.connectString());
  }

  /** Connects a client to a process with all roles. */
  static Connection connect(CairnProcess process) throws IOException {
    return connect(process.endpoints().zooKeeper());
  }

  /** Deletes all znodes. */
  void deleteZnodes() throws Exception {
    try (CuratorFramework administrator =
        CuratorFrameworkFactory.newClient(zooKeeper.connectString(), new RetryOneTime(10))) {
      administrator.start();
      administrator.delete().quietly().deletingChildrenIfNeeded().forPath("/hbase");
    }
  }

  /** Waits until a process is healthy. */
  static void awaitHealthy(CairnProcess process) {
    Waiting.reaches(() -> process.health().status() == HealthStatus.OK);
    assertThat(process.health().problems()).isEmpty();
  }

  private static Map<String, String> ports() {
    return Map.of(
        "hbase.master.port",
        "0",
        "hbase.regionserver.port",
        "0",
        "hbase.master.info.port",
        "0",
        "hbase.regionserver.info.port",
        "0",
        "cairn.bind.address",
        "127.0.0.1",
        "cairn.hostname",
        "127.0.0.1");
  }

  private static Connection connect(String quorum) throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, port(quorum));
    return ConnectionFactory.createConnection(configuration);
  }

  private static String port(String address) {
    return address.substring(address.lastIndexOf(':') + 1);
  }
}
