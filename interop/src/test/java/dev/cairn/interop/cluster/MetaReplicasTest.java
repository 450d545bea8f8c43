package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Apache's client finds regions with replicas of {@code hbase:meta}. */
@Timeout(900)
@Tag("long")
class MetaReplicasTest {
  private static final TableName TABLE = TableName.valueOf("located");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final List<String> ROWS = List.of("a", "h", "o", "v");
  private static final int SERVERS = 3;
  private static final int COPIES = 3;

  @TempDir private Path folder;

  @Test
  void clientsFindRegionsWithoutTheServerOfMeta() throws Exception {
    try (ClusterProcesses cluster =
            ClusterProcesses.onLocalFolder(
                folder,
                1,
                SERVERS,
                Map.of(
                    "zookeeper.session.timeout",
                    "20000",
                    "hbase.meta.replica.count",
                    Integer.toString(COPIES),
                    "hbase.region.replica.replication.catalog.enabled",
                    "true"));
        Connection connection = ConnectionFactory.createConnection(cluster.client());
        Connection balanced = connect(cluster, "hbase.locator.meta.replicas.mode", "LoadBalance");
        Connection hedged = connect(cluster, "hbase.meta.replicas.use", "true");
        Connection rpc =
            connect(
                cluster,
                "hbase.client.registry.impl",
                "org.apache.hadoop.hbase.client.RpcConnectionRegistry",
                "hbase.client.bootstrap.servers",
                bootstrap(connection));
        Admin admin = connection.getAdmin();
        RegionLocator meta = connection.getRegionLocator(TableName.META_TABLE_NAME)) {
      cluster.await("the copies are apart", () -> servers(meta).size() == COPIES);
      assertThat(copies(meta))
          .extracting(copy -> copy.getRegion().getEncodedName())
          .containsExactly("1588230740", "534574363", "1657623790");
      assertThat(copies(rpc.getRegionLocator(TableName.META_TABLE_NAME))).isEqualTo(copies(meta));
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          new byte[][] {Bytes.toBytes("g"), Bytes.toBytes("n"), Bytes.toBytes("u")});
      for (int id = 1; id < COPIES; id++) {
        int replica = id;
        cluster.await("the replica lists the table", () -> listed(connection, replica) == 4);
      }

      long before = readsOfReplicas(admin, meta);
      for (int i = 0; i < 5; i++) {
        locateAll(balanced);
        use(balanced);
      }
      cluster.await(
          "the replicas were asked",
          () -> readsOfReplicas(admin, meta) >= before + 5 * ROWS.size());

      HRegionLocation primary = copies(meta).get(0);
      String server = cluster.nameOf(primary.getPort());
      cluster.freeze(server);
      locateAll(balanced);
      locateAll(hedged);
      cluster.thaw(server);

      cluster.kill(server);
      locateAll(balanced);
      locateAll(hedged);
      cluster.await("hbase:meta is elsewhere", () -> isElsewhere(meta, primary));
      use(balanced);
      use(hedged);
      cluster.await(
          "the copies are at the other servers",
          () -> copies(meta).size() == COPIES && servers(meta).size() == SERVERS - 1);

      setCopies(admin, 1);
      cluster.await("there are no replicas", () -> copies(meta).size() == 1);
      locateAll(connection);
      setCopies(admin, 2);
      cluster.await("there is one replica", () -> servers(meta).size() == 2);
      cluster.await("the replica lists the table", () -> listed(connection, 1) == 4);
      assertThatThrownBy(
              () ->
                  admin.modifyTable(
                      TableDescriptorBuilder.newBuilder(descriptor(admin))
                          .setReadOnly(true)
                          .build()))
          .hasMessageContaining("Only REGION_REPLICATION of the descriptor of hbase:meta");
      use(connection);
    }
  }

  private static Connection connect(ClusterProcesses cluster, String... settings)
      throws IOException {
    Configuration configuration = cluster.client();
    for (int i = 0; i < settings.length; i += 2) {
      configuration.set(settings[i], settings[i + 1]);
    }
    return ConnectionFactory.createConnection(configuration);
  }

  /** Returns the addresses of all region servers. */
  private static String bootstrap(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getRegionServers().stream()
          .map(server -> server.getAddress().toString())
          .collect(Collectors.joining(","));
    }
  }

  private static List<HRegionLocation> copies(RegionLocator meta) throws IOException {
    List<HRegionLocation> copies = new ArrayList<>();
    for (HRegionLocation copy : meta.getRegionLocations(new byte[0], true)) {
      if (copy != null && copy.getServerName() != null) {
        copies.add(copy);
      }
    }
    return copies;
  }

  private static Set<ServerName> servers(RegionLocator meta) throws IOException {
    Set<ServerName> servers = new HashSet<>();
    copies(meta).forEach(copy -> servers.add(copy.getServerName()));
    return servers;
  }

  private static boolean isElsewhere(RegionLocator meta, HRegionLocation before)
      throws IOException {
    return !copies(meta).get(0).getServerName().equals(before.getServerName());
  }

  /** Returns the regions of the table that a replica lists. */
  private static int listed(Connection connection, int replica) throws IOException {
    Scan scan =
        new Scan()
            .setStartStopRowForPrefixScan(Bytes.toBytes(TABLE + ","))
            .setConsistency(Consistency.TIMELINE)
            .setReplicaId(replica);
    int regions = 0;
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
        ResultScanner scanner = meta.getScanner(scan)) {
      for (Result result : scanner) {
        assertThat(result.isStale()).isTrue();
        regions +=
            result.containsNonEmptyColumn(Bytes.toBytes("info"), Bytes.toBytes("server")) ? 1 : 0;
      }
    } catch (IOException e) {
      return -1; // It is not open yet, or has moved.
    }
    return regions;
  }

  private static long readsOfReplicas(Admin admin, RegionLocator meta) throws IOException {
    long reads = 0;
    for (HRegionLocation copy : copies(meta)) {
      for (RegionMetrics region :
          admin.getRegionMetrics(copy.getServerName(), TableName.META_TABLE_NAME)) {
        boolean isCopy = Bytes.equals(region.getRegionName(), copy.getRegion().getRegionName());
        if (isCopy && copy.getRegion().getReplicaId() > 0) {
          reads += region.getReadRequestCount();
        }
      }
    }
    return reads;
  }

  /** Looks up all regions without the client's cache. */
  private static void locateAll(Connection connection) throws IOException {
    connection.clearRegionLocationCache();
    try (RegionLocator locator = connection.getRegionLocator(TABLE)) {
      for (String row : ROWS) {
        assertThat(locator.getRegionLocation(Bytes.toBytes(row), true).getServerName()).isNotNull();
      }
    }
  }

  private static void use(Connection connection) throws IOException {
    connection.clearRegionLocationCache();
    try (Table table = connection.getTable(TABLE)) {
      for (String row : ROWS) {
        table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, FAMILY));
      }
    }
  }

  private static void setCopies(Admin admin, int copies) throws IOException {
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(descriptor(admin)).setRegionReplication(copies).build());
  }

  private static TableDescriptor descriptor(Admin admin) throws IOException {
    return admin.getDescriptor(TableName.META_TABLE_NAME);
  }
}
