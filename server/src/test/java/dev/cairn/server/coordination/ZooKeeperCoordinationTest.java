package dev.cairn.server.coordination;

import static dev.cairn.server.coordination.AwaitState.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.hbase.ClusterId;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ZooKeeperProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ZooKeeperProtos.DeprecatedTableState;
import org.apache.hadoop.hbase.zookeeper.ZKMetadata;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cluster's state in real ZooKeeper servers, several in this JVM. */
@Timeout(60)
class ZooKeeperCoordinationTest {
  private static final ServerName MASTER = new ServerName("one.example", 16000, 1);
  private static final ServerName OTHER_MASTER = new ServerName("two.example", 16000, 2);
  private static final ServerName SERVER = new ServerName("one.example", 16020, 1);

  private static final Consumer<IOException> NOT_TOLD = failure -> {};

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private <T extends AutoCloseable> T keep(T one) {
    open.add(one);
    return one;
  }

  private EmbeddedZooKeeper zooKeeper(Optional<Path> directory) throws Exception {
    return keep(
        EmbeddedZooKeeper.start(
            new InetSocketAddress("127.0.0.1", 0), directory, 0, Clock.SYSTEM, NOT_TOLD));
  }

  private Coordination connect(EmbeddedZooKeeper server) throws Exception {
    return keep(
        ZooKeeperCoordination.connect(
            server.connectString(),
            "/hbase",
            90_000,
            Executors.defaultThreadFactory(),
            Clock.SYSTEM,
            ConnectWait.silent()));
  }

  @Test
  void whatOneSessionRegistersTheOtherSees() throws Exception {
    EmbeddedZooKeeper server = zooKeeper(Optional.empty());
    Coordination master = connect(server);
    Coordination other = connect(server);
    master.registerMaster(MASTER, 16010);
    master.publishClusterId("a-cluster");
    master.publishClusterUp(true);
    master.publishMetaLocation(SERVER);
    other.registerRegionServer(SERVER, 16030);

    for (Coordination each : new Coordination[] {master, other}) {
      await(
          each,
          state ->
              state.activeMaster().equals(Optional.of(MASTER))
                  && state.clusterId().equals(Optional.of("a-cluster"))
                  && state.metaLocation().equals(Optional.of(SERVER))
                  && state.regionServers().contains(SERVER)
                  && state.up());
    }
  }

  @Test
  void everySessionKnowsTheReplicasOfMeta() throws Exception {
    EmbeddedZooKeeper zooKeeper = zooKeeper(Optional.empty());
    Coordination before = connect(zooKeeper);
    Coordination master = connect(zooKeeper);
    ServerName second = new ServerName("two.example", 16020, 2);
    master.publishMetaReplica(1, Optional.of(SERVER));
    master.publishMetaReplica(2, Optional.of(SERVER));
    await(before, state -> state.metaReplicas().equals(Map.of(1, SERVER, 2, SERVER)));
    assertThat(connect(zooKeeper).state().metaReplicas()).isEqualTo(Map.of(1, SERVER, 2, SERVER));

    master.publishMetaReplica(2, Optional.of(second));
    await(before, state -> state.metaReplicas().equals(Map.of(1, SERVER, 2, second)));
    master.publishMetaReplica(1, Optional.empty());
    await(before, state -> state.metaReplicas().equals(Map.of(2, second)));
    master.publishMetaReplica(1, Optional.of(second));
    await(before, state -> state.metaReplicas().equals(Map.of(1, second, 2, second)));
    master.publishMetaReplica(2, Optional.empty());
    await(before, state -> state.metaReplicas().equals(Map.of(1, second)));
    assertThat(master.state().metaReplicas()).isEqualTo(Map.of(1, second));
    assertThat(master.state().metaLocation()).isEmpty();
  }

  @Test
  void sessionsThatPrepareSideBySideMakeNestedParentsOnce() throws Exception {
    EmbeddedZooKeeper server = zooKeeper(Optional.empty());
    int sessions = 4;
    List<ZnodeAccess> each = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      CuratorFramework client =
          keep(CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(100)));
      client.start();
      assertThat(client.blockUntilConnected(30, TimeUnit.SECONDS)).isTrue();
      each.add(new ZnodeAccess(client));
    }
    ExecutorService threads = Executors.newFixedThreadPool(sessions);
    keep(threads::shutdownNow);
    CyclicBarrier together = new CyclicBarrier(sessions);
    for (int round = 0; round < 100; round++) {
      String path = "/cluster" + round + "/hbase";
      List<Future<Void>> created = new ArrayList<>();
      for (ZnodeAccess access : each) {
        created.add(
            threads.submit(
                () -> {
                  together.await(60, TimeUnit.SECONDS);
                  access.create(path, new byte[0]);
                  return null;
                }));
      }
      for (Future<Void> one : created) {
        one.get(60, TimeUnit.SECONDS);
      }
      assertThat(each.get(0).read(path)).isPresent();
    }
  }

  @Test
  void aBackupMasterLeadsWhenTheActiveOneGoes() throws Exception {
    EmbeddedZooKeeper server = zooKeeper(Optional.empty());
    Coordination first = connect(server);
    Coordination second = connect(server);
    first.registerMaster(MASTER, 0);
    second.registerMaster(OTHER_MASTER, 0);
    await(second, state -> state.backupMasters().contains(OTHER_MASTER));
    assertThat(second.state().activeMaster()).contains(MASTER);

    first.close();

    await(second, state -> state.activeMaster().equals(Optional.of(OTHER_MASTER)));
    await(second, state -> state.backupMasters().isEmpty());
  }

  @Test
  void aRestartedMasterReplacesItsEarlierLife() throws Exception {
    EmbeddedZooKeeper server = zooKeeper(Optional.empty());
    Coordination second = connect(server);
    ServerName restarted = new ServerName(MASTER.host(), MASTER.port(), 99);
    // A dead master's session that has not run out yet: it holds the znode and does nothing more.
    try (CuratorFramework dead =
        CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(100))) {
      dead.start();
      dead.create()
          .withMode(CreateMode.EPHEMERAL)
          .forPath(
              "/hbase/master",
              ZnodeFormat.encode(
                  MASTER.hostAndPort(),
                  ZooKeeperProtos.Master.newBuilder().setMaster(MASTER.message()).build()));
      await(second, state -> state.activeMaster().equals(Optional.of(MASTER)));
      second.registerMaster(restarted, 0);
      await(second, state -> state.activeMaster().equals(Optional.of(restarted)));
    }
  }

  @Test
  void aServerThatEndsItsSessionIsGone() throws Exception {
    EmbeddedZooKeeper server = zooKeeper(Optional.empty());
    Coordination master = connect(server);
    Coordination other = connect(server);
    other.registerRegionServer(SERVER, 0);
    await(master, state -> state.regionServers().contains(SERVER));
    other.close();
    await(master, state -> state.regionServers().isEmpty());
  }

  @Test
  void hbasesOwnClassesReadTheZnodes() throws Exception {
    EmbeddedZooKeeper server = zooKeeper(Optional.empty());
    Coordination master = connect(server);
    master.registerMaster(MASTER, 16010);
    master.publishClusterId("a-cluster");
    master.publishMetaLocation(SERVER);
    try (CuratorFramework raw =
        CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(10))) {
      raw.start();
      byte[] address = raw.getData().forPath("/hbase/master");
      assertThat(ProtobufUtil.parseServerNameFrom(ZKMetadata.removeMetaData(address)))
          .hasToString(MASTER.toString());
      assertThat(
              ProtobufUtil.parseServerNameFrom(
                  ZKMetadata.removeMetaData(raw.getData().forPath("/hbase/meta-region-server"))))
          .hasToString(SERVER.toString());
      assertThat(
              ClusterId.parseFrom(
                  ZKMetadata.removeMetaData(raw.getData().forPath("/hbase/hbaseid"))))
          .hasToString("a-cluster");
      assertThat(raw.checkExists().forPath("/hbase/root-region-server")).isNull();
      assertThat(raw.getChildren().forPath("/hbase"))
          .contains("rs", "backup-masters", "draining", "table", "splitWAL", "replication");
    }
  }

  @Test
  void clientsBeforeTwoReadTheStatesOfTables() throws Exception {
    EmbeddedZooKeeper server = zooKeeper(Optional.empty());
    Coordination master = connect(server);
    TableName one = TableName.parse("one");
    TableName two = TableName.parse("ns:two");
    TableName gone = TableName.parse("gone");
    master.publishTableState(gone, Optional.of(TableState.State.ENABLED));
    master.publishTableStates(
        Map.of(one, TableState.State.ENABLED, two, TableState.State.DISABLED));
    master.publishTableState(one, Optional.of(TableState.State.DISABLING));
    try (CuratorFramework raw =
        CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(10))) {
      raw.start();
      assertThat(raw.getChildren().forPath("/hbase/table")).containsOnly("one", "ns:two");
      assertThat(oldState(raw.getData().forPath("/hbase/table/one")))
          .isEqualTo(DeprecatedTableState.State.DISABLING);
      assertThat(oldState(raw.getData().forPath("/hbase/table/ns:two")))
          .isEqualTo(DeprecatedTableState.State.DISABLED);
      master.publishTableState(two, Optional.empty());
      assertThat(raw.getChildren().forPath("/hbase/table")).containsOnly("one");
    }
  }

  private static DeprecatedTableState.State oldState(byte[] znode) throws Exception {
    byte[] data = ZKMetadata.removeMetaData(znode);
    int magic = ProtobufUtil.lengthOfPBMagic();
    return DeprecatedTableState.parseFrom(Arrays.copyOfRange(data, magic, data.length)).getState();
  }

  @Test
  void aRestartForgetsTheSessionsOfBefore(@TempDir Path directory) throws Exception {
    EmbeddedZooKeeper server = zooKeeper(Optional.of(directory));
    Coordination before = connect(server);
    before.publishClusterId("a-cluster");
    before.registerRegionServer(SERVER, 0);
    String dataId = before.readDataId();
    // As a killed process: the server goes, and the session never said goodbye.
    server.close();

    EmbeddedZooKeeper again = zooKeeper(Optional.of(directory));
    Coordination after = connect(again);
    await(after, state -> state.clusterId().equals(Optional.of("a-cluster")));
    await(after, state -> state.regionServers().isEmpty());
    assertThat(after.readDataId()).as("the data are the same").isEqualTo(dataId);
    assertThat(connect(zooKeeper(Optional.empty())).readDataId()).isNotEqualTo(dataId);
  }

  @Test
  void aQuorumThatDoesNotAnswerIsToldAndThenNamedWithTheCause() throws Exception {
    List<String> notices = new ArrayList<>();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String refusing = "127.0.0.1:" + FreePorts.find();
      String listening = "127.0.0.1:" + silent.getLocalPort();
      String unknown = "zookeeper.invalid:2181";
      String quorum = String.join(",", refusing, listening, unknown);
      assertThatThrownBy(
              () ->
                  ZooKeeperCoordination.connect(
                      quorum,
                      "/hbase",
                      90_000,
                      Executors.defaultThreadFactory(),
                      Clock.SYSTEM,
                      new ConnectWait(1, 100, notices::add)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No ZooKeeper answers at " + quorum + " (hbase.zookeeper.quorum): ")
          .hasMessageContaining(refusing + " does not accept connections (Connection refused)")
          .hasMessageContaining(listening + " accepts connections, but does not answer")
          .hasMessageContaining(unknown + " has a host name that is unknown here")
          .hasMessageNotContaining("\n");
      assertThat(notices)
          .containsExactly("Waiting for ZooKeeper at " + quorum + " (hbase.zookeeper.quorum)");
    }
  }

  @Test
  void oldFilesOfManyStartsAreDeletedAndTheNewestAreKept(@TempDir Path directory) throws Exception {
    for (int start = 1; start <= 6; start++) {
      EmbeddedZooKeeper server = zooKeeper(Optional.of(directory));
      connect(server).publishClusterId("start-" + start);
      closeAll();
      open.clear();
    }
    assertThat(files(directory, "snapshot.")).hasSizeGreaterThan(3);
    int logs = files(directory, "log.").size();
    EmbeddedZooKeeper server = zooKeeper(Optional.of(directory));
    Coordination before = connect(server);
    List<String> snapshots = files(directory, "snapshot.");

    server.purge();

    assertThat(files(directory, "snapshot."))
        .isEqualTo(snapshots.subList(snapshots.size() - 3, snapshots.size()));
    assertThat(files(directory, "log.")).hasSizeLessThan(logs);
    before.publishMetaLocation(SERVER);
    closeAll();
    open.clear();
    // Each snapshot that stays has the logs that it needs: the two newest ones may be damaged.
    for (String newest : snapshots.subList(snapshots.size() - 2, snapshots.size())) {
      Files.delete(directory.resolve("version-2").resolve(newest));
    }
    Coordination after = connect(zooKeeper(Optional.of(directory)));
    await(after, state -> state.clusterId().equals(Optional.of("start-6")));
    await(after, state -> state.metaLocation().equals(Optional.of(SERVER)));
  }

  /** Returns the names of a server's files that begin with {@code prefix}, oldest first. */
  private static List<String> files(Path directory, String prefix) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("version-2"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(prefix))
          .sorted(
              Comparator.comparingLong(name -> Long.parseLong(name.substring(prefix.length()), 16)))
          .toList();
    }
  }

  @Test
  void aTakenPortIsNamed() throws Exception {
    EmbeddedZooKeeper server = zooKeeper(Optional.empty());
    assertThatThrownBy(
            () ->
                EmbeddedZooKeeper.start(
                    new InetSocketAddress("127.0.0.1", server.port()),
                    Optional.empty(),
                    0,
                    Clock.SYSTEM,
                    NOT_TOLD))
        .isInstanceOf(BindException.class)
        .hasMessageContaining(Integer.toString(server.port()));
  }

  @Test
  void aServerThatCannotWriteItsLogTellsWhyAndSendsItsClientsAway(@TempDir Path directory)
      throws Exception {
    CompletableFuture<IOException> told = new CompletableFuture<>();
    EmbeddedZooKeeper server =
        keep(
            EmbeddedZooKeeper.start(
                new InetSocketAddress("127.0.0.1", 0),
                Optional.of(directory),
                0,
                Clock.SYSTEM,
                told::complete));
    // The log's first file is made with the first session.
    try (Stream<Path> files = Files.walk(directory.resolve("version-2"))) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
    CuratorFramework client =
        keep(CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(10)));
    client.start();
    assertThat(told.get(60, TimeUnit.SECONDS))
        .hasMessageContaining(directory.resolve("version-2").toString())
        .hasMessageContaining("start again")
        .hasCauseInstanceOf(IOException.class);
    assertThat(client.getZookeeperClient().isConnected()).isFalse();
  }

  @Test
  void severalServersStartAndStopInOneJvm() throws Exception {
    for (int round = 0; round < 3; round++) {
      EmbeddedZooKeeper one = zooKeeper(Optional.empty());
      EmbeddedZooKeeper two = zooKeeper(Optional.empty());
      connect(one).publishClusterId("one");
      connect(two).publishClusterId("two");
      assertThat(connect(one).state().clusterId()).contains("one");
      assertThat(connect(two).state().clusterId()).contains("two");
      closeAll();
      open.clear();
    }
  }
}
