package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A region that moves finds its hot blocks in the cache of its new server. */
@Timeout(300)
class WarmMoveTest {
  private static final TableName NAME = TableName.valueOf("moved");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 1_000;

  @TempDir private Path folder;

  @Test
  void theBlocksInTheCacheOfTheOldServerAreInThatOfTheNewOne() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.onLocalFolder(folder, 1, 2, Map.of());
        Connection connection = ConnectionFactory.createConnection(cluster.client());
        Admin admin = connection.getAdmin();
        RegionLocator regions = connection.getRegionLocator(NAME);
        Table table = connection.getTable(NAME)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      write(table);
      admin.flush(NAME);
      read(table);
      RegionInfo region = regions.getRegionLocation(new byte[0], true).getRegion();
      ServerName before = regions.getRegionLocation(new byte[0], true).getServerName();
      List<String> hot = admin.getCachedFilesList(before);
      assertThat(hot).hasSize(1);
      ServerName after = other(admin, before);
      assertThat(admin.getCachedFilesList(after)).isEmpty();

      admin.move(region.getEncodedNameAsBytes(), after);
      assertThat(regions.getRegionLocation(new byte[0], true).getServerName()).isEqualTo(after);
      // hbase:meta names the server a moment before the region is open there.
      assertThat(table.exists(new Get(Bytes.toBytes(0)))).isTrue();
      assertThat(admin.getCachedFilesList(after)).isEqualTo(hot);
      read(table);

      write(table);
      admin.move(region.getEncodedNameAsBytes(), before);
      read(table);
      assertThat(admin.getCachedFilesList(before)).containsAll(hot);
    }
  }

  private static ServerName other(Admin admin, ServerName server) throws Exception {
    return admin.getRegionServers().stream()
        .filter(one -> !one.equals(server))
        .findFirst()
        .orElseThrow();
  }

  private static void write(Table table) throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(Bytes.toBytes(i)).addColumn(FAMILY, FAMILY, new byte[1_000]));
    }
    table.put(puts);
  }

  private static void read(Table table) throws Exception {
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      gets.add(new Get(Bytes.toBytes(i)));
    }
    for (boolean found : table.exists(gets)) {
      assertThat(found).isTrue();
    }
  }
}
