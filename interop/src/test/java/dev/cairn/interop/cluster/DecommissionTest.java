package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How Apache's client empties servers and fills them again, while another client writes. */
@Timeout(300)
class DecommissionTest {
  private static final TableName TABLE = TableName.valueOf("drained");

  @TempDir private Path folder;

  @Test
  void serversAreEmptiedAndFilledAgain() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.onLocalFolder(folder, 2, 3, Map.of());
        Connection connection = ConnectionFactory.createConnection(cluster.client());
        ZKWatcher watcher = new ZKWatcher(cluster.client(), "a test", null)) {
      Admin admin = connection.getAdmin();
      DefaultClient.createTable(admin, TABLE);
      DefaultClient load = DefaultClient.start(cluster, TABLE);

      ServerName holder =
          connection
              .getRegionLocator(TableName.META_TABLE_NAME)
              .getAllRegionLocations()
              .get(0)
              .getServerName();
      List<RegionInfo> regions = admin.getRegions(holder);
      admin.decommissionRegionServers(List.of(holder), true);
      assertThat(admin.listDecommissionedRegionServers()).containsExactly(holder);
      cluster.await("the server is empty", () -> admin.getRegions(holder).isEmpty());
      assertThat(
              ZKUtil.checkExists(
                  watcher,
                  ZNodePaths.joinZNode(
                      watcher.getZNodePaths().drainingZNode, holder.getServerName())))
          .isNotNegative();

      // It is draining under the next master, too.
      cluster.kill(cluster.activeMaster());
      cluster.awaitServing();
      assertThat(admin.listDecommissionedRegionServers()).containsExactly(holder);
      admin.move(Bytes.toBytes(admin.getRegions(TABLE).get(0).getEncodedName()));
      assertThat(admin.getRegions(holder)).isEmpty();

      admin.recommissionRegionServer(
          holder, regions.stream().map(RegionInfo::getEncodedNameAsBytes).toList());
      assertThat(admin.listDecommissionedRegionServers()).isEmpty();
      cluster.await("its regions are back", () -> admin.getRegions(holder).containsAll(regions));

      // A znode that an operator makes counts.
      ServerName other =
          admin.getRegionServers().stream().filter(one -> !one.equals(holder)).findFirst().get();
      String mark =
          ZNodePaths.joinZNode(watcher.getZNodePaths().drainingZNode, other.getServerName());
      ZKUtil.createWithParents(watcher, mark);
      cluster.await(
          "the mark is seen", () -> admin.listDecommissionedRegionServers().equals(List.of(other)));
      RegionInfo moved =
          admin.getRegions(TABLE).stream()
              .filter(region -> regions.contains(region))
              .findFirst()
              .orElseThrow();
      assertThatThrownBy(() -> admin.move(moved.getEncodedNameAsBytes(), other))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("is draining");
      ZKUtil.deleteNode(watcher, mark);
      cluster.await("the mark is gone", () -> admin.listDecommissionedRegionServers().isEmpty());

      assertThatThrownBy(
              () -> admin.decommissionRegionServers(List.copyOf(admin.getRegionServers()), true))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("No region server is left that may have the regions");
      assertThat(admin.listDecommissionedRegionServers()).isEmpty();
      assertThat(load.stop()).isPositive();
    }
  }
}
