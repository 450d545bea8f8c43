package dev.cairn.server.coordination;

import static dev.cairn.server.coordination.AwaitState.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.Waiting;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Znodes that somebody deletes or changes while masters and region servers run. */
@Timeout(60)
class DeletedZnodesTest {
  private static final ServerName MASTER = new ServerName("one.example", 16000, 1);
  private static final ServerName BACKUP = new ServerName("two.example", 16000, 2);
  private static final ServerName META = new ServerName("one.example", 16020, 1);
  private static final ServerName SERVER = new ServerName("two.example", 16020, 2);

  private static final String META_REPLICA = "meta-region-server-1";

  private final List<AutoCloseable> open = new ArrayList<>();
  private CuratorFramework administrator;
  private Coordination master;
  private Coordination backup;
  private Coordination server;

  @BeforeEach
  void startAMaster() throws Exception {
    EmbeddedZooKeeper zooKeeper =
        keep(
            EmbeddedZooKeeper.start(
                new InetSocketAddress("127.0.0.1", 0),
                Optional.empty(),
                0,
                Clock.SYSTEM,
                failure -> {}));
    administrator =
        keep(CuratorFrameworkFactory.newClient(zooKeeper.connectString(), new RetryOneTime(10)));
    administrator.start();
    master = connect(zooKeeper);
    master.registerMaster(MASTER, 16010);
    master.publishClusterId("a-cluster");
    master.publishClusterUp(true);
    master.publishMetaLocation(META);
    master.publishMetaReplica(1, Optional.of(SERVER));
    master.publishTableStates(Map.of(TableName.parse("t"), TableState.State.DISABLED));
    await(master, state -> state.activeMaster().equals(Optional.of(MASTER)));
    backup = connect(zooKeeper);
    backup.registerMaster(BACKUP, 16010);
    await(master, state -> state.backupMasters().contains(BACKUP));
    server = connect(zooKeeper);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void theActiveMasterWritesAgainWhatItPublished() throws Exception {
    for (String name : List.of("hbaseid", "running", "meta-region-server", META_REPLICA)) {
      byte[] before = administrator.getData().forPath("/hbase/" + name);
      administrator.delete().forPath("/hbase/" + name);

      awaitZnode("/hbase/" + name);
      assertThat(administrator.getData().forPath("/hbase/" + name)).isEqualTo(before);
    }
  }

  @Test
  void theActiveMasterWritesZnodesAgainThatAnotherClientHasChanged() throws Exception {
    for (String name : List.of("hbaseid", "running", "meta-region-server", META_REPLICA)) {
      byte[] before = administrator.getData().forPath("/hbase/" + name);
      administrator
          .setData()
          .forPath("/hbase/" + name, ZnodeMessages.metaLocation(new ServerName("three", 1, 1)));

      Waiting.waitUntil(() -> Arrays.equals(data("/hbase/" + name), before));
    }
    await(backup, state -> state.metaLocation().equals(Optional.of(META)));
  }

  @Test
  void whatTheActiveMasterTookBackStaysAway() throws Exception {
    master.publishClusterUp(false);
    master.publishMetaReplica(1, Optional.empty());
    administrator.delete().forPath("/hbase/hbaseid");

    awaitZnode("/hbase/hbaseid");
    assertThat(administrator.checkExists().forPath("/hbase/running")).isNull();
    assertThat(administrator.checkExists().forPath("/hbase/" + META_REPLICA)).isNull();
  }

  @Test
  void aBackupMasterRegistersAgain() throws Exception {
    administrator.delete().forPath("/hbase/backup-masters/" + BACKUP);

    awaitZnode("/hbase/backup-masters/" + BACKUP);
  }

  @Test
  void aClusterWithoutAnyZnodeGetsThemBack() throws Exception {
    backup.close();
    await(master, state -> state.backupMasters().isEmpty());
    List<String> before = administrator.getChildren().forPath("/hbase");
    administrator.delete().quietly().deletingChildrenIfNeeded().forPath("/hbase");

    Waiting.waitUntil(() -> children("/hbase").containsAll(before));
    await(master, state -> state.activeMaster().equals(Optional.of(MASTER)) && state.up());
    await(master, state -> state.metaLocation().equals(Optional.of(META)));
    awaitZnode("/hbase/table/t");
    server.registerRegionServer(SERVER, 16030);
    await(master, state -> state.regionServers().contains(SERVER));
  }

  @Test
  void aServerWhoseZnodeIsDeletedIsGoneForAll() throws Exception {
    server.registerRegionServer(SERVER, 16030);
    await(master, state -> state.regionServers().contains(SERVER));
    administrator.delete().deletingChildrenIfNeeded().forPath("/hbase/rs");

    await(master, state -> state.regionServers().isEmpty());
    await(server, state -> state.regionServers().isEmpty());
  }

  @Test
  void theIdentityOfTheDataChangesWithTheDirectoryOfTheServers() throws Exception {
    server.registerRegionServer(SERVER, 16030);
    String before = master.readDataId();
    administrator.delete().forPath("/hbase/rs/" + SERVER);
    administrator.delete().forPath("/hbase/hbaseid");
    assertThat(master.readDataId()).isEqualTo(before).isEqualTo(server.readDataId());

    administrator.delete().forPath("/hbase/rs");
    String after = master.readDataId();
    assertThat(after).isNotEqualTo(before).isEqualTo(server.readDataId());
    administrator.delete().quietly().deletingChildrenIfNeeded().forPath("/hbase");
    assertThat(master.readDataId()).isNotIn(before, after);
  }

  private void awaitZnode(String path) {
    int slash = path.lastIndexOf('/');
    Waiting.waitUntil(() -> children(path.substring(0, slash)).contains(path.substring(slash + 1)));
  }

  private byte[] data(String path) {
    try {
      return administrator.getData().forPath(path);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the names of a znode's children; none while there is no such znode. */
  private List<String> children(String path) {
    try {
      return administrator.getChildren().forPath(path);
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
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

  private <T extends AutoCloseable> T keep(T one) {
    open.add(one);
    return one;
  }
}
