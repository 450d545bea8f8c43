package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.cluster.ClusterPlan;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
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
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One root directory on HDFS and one ZooKeeper, used in turn by a distributed Apache HBase and by
 * Cairn. Each is killed, and the next one finds all acknowledged data, in store files and in logs.
 */
@Timeout(600)
@Tag("long")
class DistributedFolderTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[][] SPLITS = {Bytes.toBytes("3"), Bytes.toBytes("6")};

  @TempDir private Path folder;

  @Test
  void eachOpensTheFolderOfTheOtherAfterAKill() throws Exception {
    try (ClusterProcesses cairn =
            ClusterProcesses.onHdfs(
                folder,
                new ClusterPlan.Counts(1, 1, 1),
                Map.of("zookeeper.session.timeout", "6000"));
        HBaseCluster hbase = new HBaseCluster(folder.resolve("hbase"), cairn)) {
      killServers(cairn);
      forgetEverything(cairn);

      hbase.start();
      List<String> rows = new ArrayList<>();
      try (Connection connection = ConnectionFactory.createConnection(cairn.client())) {
        create(connection);
        rows.addAll(put(connection, "hbase", true));
        rows.addAll(put(connection, "unflushed", false));
      }
      hbase.kill();

      cairn.start();
      try (Connection connection = ConnectionFactory.createConnection(cairn.client())) {
        assertThat(rows(connection)).hasSameElementsAs(rows);
        split(connection, "1");
        rows.addAll(put(connection, "cairn", true));
        rows.addAll(put(connection, "kept", false));
      }
      killServers(cairn);

      hbase.start();
      try (Connection connection = ConnectionFactory.createConnection(cairn.client())) {
        assertThat(rows(connection)).hasSameElementsAs(rows);
        rows.addAll(put(connection, "again", false));
      }
      hbase.kill();

      cairn.start();
      try (Connection connection = ConnectionFactory.createConnection(cairn.client())) {
        assertThat(rows(connection)).hasSameElementsAs(rows);
      }
    }
  }

  private static void killServers(ClusterProcesses cairn) throws InterruptedException {
    cairn.kill("master1");
    cairn.kill("rs1");
  }

  /** Deletes the root directory and all znodes, so that HBase makes its own. */
  private static void forgetEverything(ClusterProcesses cairn) throws Exception {
    ClusterPlan plan = cairn.local().plan();
    URI root = URI.create(plan.rootDirUrl());
    try (FileSystem files = FileSystem.newInstance(root, new Configuration())) {
      assertThat(files.delete(new org.apache.hadoop.fs.Path(root), true)).isTrue();
    }
    String quorum = "127.0.0.1:" + cairn.client().get("hbase.zookeeper.property.clientPort");
    try (CuratorFramework zooKeeper =
        CuratorFrameworkFactory.newClient(quorum, new RetryOneTime(100))) {
      zooKeeper.start();
      zooKeeper.delete().deletingChildrenIfNeeded().forPath("/hbase");
    }
  }

  private static void create(Connection connection) throws IOException {
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            SPLITS);
  }

  /** Splits the first region, whose daughters then refer to files of their parent. */
  private static void split(Connection connection, String row) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin
          .splitRegionAsync(admin.getRegions(TABLE).get(0).getRegionName(), Bytes.toBytes(row))
          .get();
    }
  }

  /** Puts ten rows and returns them. */
  private static List<String> put(Connection connection, String suffix, boolean flush)
      throws IOException {
    List<String> written = new ArrayList<>();
    try (Table table = connection.getTable(TABLE);
        Admin admin = connection.getAdmin()) {
      for (int i = 0; i < 10; i++) {
        String row = i + suffix;
        table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes(suffix)));
        written.add(row);
      }
      if (flush) {
        admin.flush(TABLE);
      }
    }
    return written;
  }

  private static List<String> rows(Connection connection) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows.add(Bytes.toString(row.getRow()));
      }
    }
    return rows;
  }
}
