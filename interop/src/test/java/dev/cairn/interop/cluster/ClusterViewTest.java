package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.cluster.ClusterPlan;
import dev.cairn.tools.overview.ClusterOverview;
import dev.cairn.tools.overview.ClusterOverview.Node;
import dev.cairn.tools.overview.ClusterOverview.Role;
import dev.cairn.tools.overview.OverviewJson;
import dev.cairn.tools.overview.OverviewReader;
import dev.cairn.tools.overview.OverviewText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionServerInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.MasterAddressTracker;
import org.apache.hadoop.hbase.zookeeper.MetaTableLocator;
import org.apache.hadoop.hbase.zookeeper.ZKDump;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What HBase's own client and ZooKeeper tools see of a cluster of several servers. */
@Timeout(300)
@Tag("long")
class ClusterViewTest {
  private static final TableName TABLE = TableName.valueOf("seen");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int SERVERS = 3;

  @TempDir private Path folder;

  @Test
  void metricsAndZnodesShowAllServers() throws Exception {
    try (ClusterProcesses cluster =
            ClusterProcesses.onHdfs(
                folder,
                new ClusterPlan.Counts(2, SERVERS, 2),
                Map.of("zookeeper.session.timeout", "6000"));
        Connection connection = ConnectionFactory.createConnection(cluster.client());
        ZKWatcher watcher = new ZKWatcher(cluster.client(), "a test", null)) {
      Admin admin = connection.getAdmin();
      fill(connection);
      cluster.await("a backup master stands by", () -> admin.getBackupMasters().size() == 1);
      ClusterMetrics metrics = admin.getClusterMetrics();
      assertThat(metrics.getLiveServerMetrics()).hasSize(SERVERS);
      assertThat(metrics.getServersName()).hasSize(SERVERS);
      assertThat(metrics.getDeadServerNames()).isEmpty();
      assertThat(metrics.getUnknownServerNames()).isEmpty();
      assertThat(metrics.getRegionStatesInTransition()).isEmpty();
      assertThat(metrics.getMasterInfoPort()).isPositive();
      assertThat(metrics.getBackupMasterNames()).doesNotContain(metrics.getMasterName());
      assertLocal(cluster, admin);
      assertZnodes(watcher, metrics);
      assertOverview(overview(cluster));

      ServerName killed = metrics.getServersName().get(0);
      cluster.kill(cluster.nameOf(killed.getPort()));
      cluster.await(
          "the server is dead and its regions are served",
          () -> {
            ClusterMetrics now = admin.getClusterMetrics();
            return now.getDeadServerNames().equals(List.of(killed))
                && now.getLiveServerMetrics().size() == SERVERS - 1
                && now.getRegionStatesInTransition().isEmpty();
          });
      assertThat(ZKUtil.listChildrenNoWatch(watcher, watcher.getZNodePaths().rsZNode))
          .hasSize(SERVERS - 1);

      // One that hangs does not keep the others' loads away.
      String hanging = cluster.nameOf(admin.getRegionServers().iterator().next().getPort());
      cluster.freeze(hanging);
      assertThat(admin.getClusterMetrics().getLiveServerMetrics()).isNotEmpty();
      ClusterOverview overview = overview(cluster);
      assertThat(overview.dead()).contains(killed.getServerName());
      assertThat(overview.nodes())
          .filteredOn(node -> node.skewMillis().isEmpty() && node.role() == Role.REGION_SERVER)
          .singleElement()
          .satisfies(node -> assertThat(node.health()).contains("does not answer"));
      cluster.thaw(hanging);
      cluster.await(
          "it takes part again",
          () -> {
            if (!cluster.isRunning(hanging)) {
              cluster.launch(hanging); // it was given up while it was frozen
            }
            return admin.getClusterMetrics().getLiveServerMetrics().size() == SERVERS - 1
                && overview(cluster).nodes().stream()
                    .noneMatch(
                        node -> node.skewMillis().isEmpty() && node.role() == Role.REGION_SERVER);
          });
    }
  }

  private static ClusterOverview overview(ClusterProcesses cluster) throws Exception {
    return new OverviewReader(cluster.client(), 0, 30_000, Duration.ofSeconds(5)).read();
  }

  private static void assertOverview(ClusterOverview overview) {
    assertThat(overview.nodes())
        .extracting(Node::role)
        .containsExactly(
            Role.ACTIVE_MASTER,
            Role.BACKUP_MASTER,
            Role.REGION_SERVER,
            Role.REGION_SERVER,
            Role.REGION_SERVER);
    assertThat(overview.problems()).isEmpty();
    assertThat(overview.dead()).isEmpty();
    assertThat(overview.transitions()).isEmpty();
    for (Node node : overview.nodes()) {
      assertThat(node.unreachable()).isEmpty();
      if (node.role() != Role.BACKUP_MASTER) { // nobody says where its web page is
        assertThat(node.sessionMillis()).contains(6000L);
        assertThat(node.skewMillis().orElseThrow()).isBetween(-5000L, 5000L);
      }
    }
    assertThat(OverviewJson.of(overview)).contains("\"sessionMillis\": 6000");
    StringWriter text = new StringWriter();
    new OverviewText(new PrintWriter(text, true)).print(overview);
    assertThat(text.toString())
        .contains("active master", "backup master", "region server", "session 6000 ms");
  }

  private static void fill(Connection connection) throws Exception {
    byte[][] splits = {Bytes.toBytes("2"), Bytes.toBytes("4"), Bytes.toBytes("6")};
    Admin admin = connection.getAdmin();
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build(),
        splits);
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < 80; i++) {
        byte[] row = Bytes.toBytes("%02d".formatted(i));
        table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
      }
    }
    admin.flush(TABLE);
  }

  /** Every DataNode is on this machine. */
  private static void assertLocal(ClusterProcesses cluster, Admin admin) throws Exception {
    cluster.await(
        "all regions report that their files are local",
        () -> {
          int local = 0;
          for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
            for (RegionMetrics region : server.getRegionMetrics().values()) {
              if (region.getNameAsString().startsWith(TABLE.getNameAsString() + ",")) {
                local += region.getDataLocality() == 1 && region.getStoreFileCount() == 1 ? 1 : 0;
              }
            }
          }
          return local == 4;
        });
  }

  private static void assertZnodes(ZKWatcher watcher, ClusterMetrics metrics) throws Exception {
    Set<String> servers =
        metrics.getServersName().stream()
            .map(ServerName::getServerName)
            .collect(Collectors.toSet());
    String parent = watcher.getZNodePaths().rsZNode;
    assertThat(ZKUtil.listChildrenNoWatch(watcher, parent))
        .containsExactlyInAnyOrderElementsOf(servers);
    for (String server : servers) {
      byte[] data = ZKUtil.getData(watcher, parent + "/" + server);
      assertThat(ProtobufUtil.isPBMagicPrefix(data)).isTrue();
      int magic = ProtobufUtil.lengthOfPBMagic();
      RegionServerInfo info =
          RegionServerInfo.parseFrom(Arrays.copyOfRange(data, magic, data.length));
      assertThat(info.getInfoPort())
          .isEqualTo(
              metrics.getLiveServerMetrics().get(ServerName.valueOf(server)).getInfoServerPort());
      assertThat(info.getVersionInfo().getVersion()).startsWith("2.6");
    }
    assertThat(MasterAddressTracker.getMasterAddress(watcher)).isEqualTo(metrics.getMasterName());
    assertThat(MasterAddressTracker.getBackupMastersAndRenewWatch(watcher))
        .containsExactlyElementsOf(metrics.getBackupMasterNames());
    assertThat(ZKUtil.listChildrenNoWatch(watcher, watcher.getZNodePaths().drainingZNode))
        .isEmpty();
    assertThat(servers).contains(MetaTableLocator.getMetaRegionLocation(watcher).getServerName());
    assertThat(ZKDump.dump(watcher))
        .contains("Active master address", "Backup master addresses", "Region servers")
        .contains(servers);
  }
}
