package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.launcher.cluster.ClusterPlan;
import dev.cairn.launcher.cluster.ClusterPlan.Node;
import dev.cairn.launcher.cluster.NodeKind;
import dev.cairn.server.rpc.RpcEventLoops;
import dev.cairn.server.rpc.client.RpcClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ShutdownRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ShutdownResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills or freezes processes of a cluster one after the other; the others go on. {@link
 * SharedRecoveryTest} tests a shared local folder.
 */
@Timeout(600)
class ClusterTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final Map<String, String> SETTINGS = Map.of("zookeeper.session.timeout", "6000");

  @TempDir private Path folder;

  @Test
  void aClusterOnHdfsOutlivesKilledServers() throws Exception {
    try (ClusterProcesses cluster =
        ClusterProcesses.onHdfs(folder, new ClusterPlan.Counts(2, 2, 1), SETTINGS)) {
      outlivesKilledServers(cluster);
    }
  }

  @Test
  @Tag("long")
  void aClusterOnHdfsOutlivesKilledAndFrozenServers() throws Exception {
    try (ClusterProcesses cluster =
        ClusterProcesses.onHdfs(folder, new ClusterPlan.Counts(2, 2, 2), SETTINGS)) {
      outlivesKilledServers(cluster);
      try (FrozenProcesses frozen = new FrozenProcesses(cluster)) {
        frozen.aRegionServerThatWakesUpAnswersNoRead();
        frozen.anOrderOfAMasterThatWakesUpHasNoEffect();
      }
      stopsAndStarts(cluster);
    }
  }

  @Test
  @Tag("long")
  void aClusterOnASharedLocalFolderOutlivesKilledServers() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.onLocalFolder(folder, 2, 2, SETTINGS)) {
      outlivesKilledServers(cluster);
      stopsAndStarts(cluster);
    }
  }

  private static void outlivesKilledServers(ClusterProcesses cluster) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(cluster.client())) {
      TableName first = TableName.valueOf("first");
      create(connection, first);
      List<String> written = put(connection, first, 100);

      ServerName killed = location(connection, first);
      cluster.kill(cluster.nameOf(killed.getPort()));
      assertThat(scan(connection, first)).isEqualTo(written);
      assertThat(location(connection, first)).isNotEqualTo(killed);

      String master = cluster.activeMaster();
      cluster.kill(master);
      TableName second = TableName.valueOf("second");
      create(connection, second);
      assertThat(put(connection, second, 10)).isEqualTo(scan(connection, second));
      assertThat(cluster.activeMaster()).isNotEqualTo(master);

      cluster.launch(master);
      cluster.launch(cluster.nameOf(killed.getPort()));
      cluster.awaitServing();
      cluster.await(
          "both servers and a backup master are there",
          () -> {
            var status = connection.getAdmin().getClusterMetrics();
            return status.getLiveServerMetrics().size() == 2
                && status.getBackupMasterNames().size() == 1;
          });
      assertThat(scan(connection, first)).isEqualTo(written);
    }
  }

  private static void stopsAndStarts(ClusterProcesses cluster) throws Exception {
    assertThat(cluster.local().stopAll()).isEmpty();
    cluster.start();
    try (Connection connection = ConnectionFactory.createConnection(cluster.client())) {
      assertThat(scan(connection, TableName.valueOf("first"))).hasSize(100);
      stopMasterAndCluster(cluster, connection.getAdmin());
    }
  }

  /** Stopping the active master leaves the cluster; shutting down ends all servers. */
  private static void stopMasterAndCluster(ClusterProcesses cluster, Admin admin) throws Exception {
    String master = cluster.activeMaster();
    admin.stopMaster();
    cluster.await("the master ends", () -> !cluster.isRunning(master));
    cluster.awaitServing();
    for (Node server : cluster.local().plan().nodes(NodeKind.REGION_SERVER)) {
      assertThat(cluster.isRunning(server.name())).isTrue();
    }
    cluster.launch(master);
    cluster.await(
        "the master stands by", () -> admin.getClusterMetrics().getBackupMasterNames().size() == 1);

    assertThatThrownBy(() -> shutDown(cluster.local().plan().node(master)))
        .as("the standby asks nobody to end")
        .hasStackTraceContaining(ServerNotRunningYetException.class.getName());

    admin.shutdown();
    for (Node node : cluster.local().plan().nodes()) {
      if (node.kind() == NodeKind.MASTER || node.kind() == NodeKind.REGION_SERVER) {
        cluster.await(node.name() + " ends", () -> !cluster.isRunning(node.name()));
      }
    }
    assertThat(cluster.isRunning("zk")).isTrue();
  }

  private static void shutDown(Node master) throws IOException {
    try (RpcEventLoops loops = new RpcEventLoops(1, Thread::new);
        RpcClient client = new RpcClient(loops, "test")) {
      client.call(
          new InetSocketAddress("127.0.0.1", master.port()),
          MasterService.getDescriptor().getName(),
          "Shutdown",
          ShutdownRequest.getDefaultInstance(),
          ShutdownResponse.getDefaultInstance(),
          Duration.ofSeconds(60));
    }
  }

  private static void create(Connection connection, TableName name) throws IOException {
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
  }

  private static List<String> put(Connection connection, TableName name, int rows)
      throws IOException {
    List<String> written = new ArrayList<>();
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < rows; i++) {
        String row = "%05d".formatted(i);
        table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(i)));
        written.add(row);
      }
    }
    return written;
  }

  private static List<String> scan(Connection connection, TableName name) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private static ServerName location(Connection connection, TableName name) throws IOException {
    HRegionLocation location =
        connection.getRegionLocator(name).getRegionLocation(new byte[0], true);
    return location.getServerName();
  }
}
