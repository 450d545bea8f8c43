package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
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

/** Apache's client reads replicas of regions while the servers of the regions are gone. */
@Timeout(300)
@Tag("long")
class ReplicaReadsTest {
  private static final TableName TABLE = TableName.valueOf("copied");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] ROW = row(7);
  private static final int ROWS = 20;
  private static final int SERVERS = 3;

  @TempDir private Path folder;

  @Test
  void readsGoOnWithoutTheRegionsServer() throws Exception {
    try (ClusterProcesses cluster =
            ClusterProcesses.onLocalFolder(
                folder, 1, SERVERS, Map.of("zookeeper.session.timeout", "20000"));
        Connection connection = ConnectionFactory.createConnection(quick(cluster));
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE);
        RegionLocator locator = connection.getRegionLocator(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setRegionReplication(2)
              .build());
      assertApart(locator, 2);
      fill(table, "1");
      assertThat(value(replica(table))).as("before a flush").isNull();
      admin.flush(TABLE);
      awaitAtReplica(cluster, table, "1");

      // A compaction archives the files that the replica reads.
      fill(table, "2");
      admin.flush(TABLE);
      admin.majorCompact(TABLE);
      awaitAtReplica(cluster, table, "2");
      HRegionLocation primary = locator.getRegionLocations(ROW, true).get(0);
      String server = cluster.nameOf(primary.getPort());
      cluster.freeze(server);
      assertStale(table.get(timeline(new Get(ROW))), "2");
      assertThat(table.exists(timeline(new Get(ROW)))).isTrue();
      for (Result result : table.get(List.of(timeline(new Get(row(3))), timeline(new Get(ROW))))) {
        assertStale(result, "2");
      }
      assertStaleScan(table);
      try (AsyncConnection async = ConnectionFactory.createAsyncConnection(quick(cluster)).get()) {
        assertStale(
            async.getTable(TABLE).get(timeline(new Get(ROW))).get(60, TimeUnit.SECONDS), "2");
      }
      cluster.thaw(server);
      cluster.await("the region answers itself", () -> !table.get(new Get(ROW)).isStale());

      primary = locator.getRegionLocations(ROW, true).get(0);
      cluster.kill(cluster.nameOf(primary.getPort()));
      List<String> failures = new ArrayList<>();
      ServerGone gone = new ServerGone(locator, primary);
      cluster.await(
          "the region is elsewhere",
          () -> {
            try {
              assertThat(value(table.get(timeline(new Get(ROW))))).isEqualTo("2");
            } catch (IOException e) {
              failures.add(e.toString());
            }
            return gone.isOver();
          });
      assertThat(failures).isEmpty();
      cluster.await("the region answers", () -> !table.get(new Get(ROW)).isStale());
      cluster.await(
          "the copies are apart",
          () -> {
            List<HRegionLocation> places = locator.getRegionLocations(ROW, true);
            return places.size() == 2
                && places.stream().allMatch(place -> place != null && place.getServerName() != null)
                && !places.get(0).getServerName().equals(places.get(1).getServerName());
          });
      awaitAtReplica(cluster, table, "2");
    }
  }

  @Test
  void aReplicaThatFollowsTheLogHasWritesThatAreNotFlushed() throws Exception {
    try (ClusterProcesses cluster =
            ClusterProcesses.onLocalFolder(
                folder,
                1,
                SERVERS,
                Map.of(
                    "zookeeper.session.timeout",
                    "20000",
                    "hbase.region.replica.replication.enabled",
                    "true"));
        Connection connection = ConnectionFactory.createConnection(quick(cluster));
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE);
        RegionLocator locator = connection.getRegionLocator(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setRegionReplication(2)
              .build());
      assertApart(locator, 2);
      for (int i = 0; i < 10; i++) {
        fill(table, "value " + i);
        awaitAtReplica(cluster, table, "value " + i);
      }
      table.delete(new Delete(ROW));
      cluster.await("the replica has the delete", () -> replica(table).isEmpty());
      fill(table, "flushed");
      admin.flush(TABLE);
      fill(table, "last");
      awaitAtReplica(cluster, table, "last");

      // A replica that moves waits for what its region has in memory, rather than go back.
      HRegionLocation copy = locator.getRegionLocations(ROW, true).get(1);
      cluster.kill(cluster.nameOf(copy.getPort()));
      cluster.await(
          "the replica answers again",
          () -> {
            try {
              assertThat(value(replica(table))).isEqualTo("last");
              return true;
            } catch (IOException e) {
              return false;
            }
          });
      fill(table, "after");
      awaitAtReplica(cluster, table, "after");

      HRegionLocation primary = locator.getRegionLocations(ROW, true).get(0);
      String server = cluster.nameOf(primary.getPort());
      cluster.freeze(server);
      assertStale(table.get(timeline(new Get(ROW))), "after");
      cluster.thaw(server);
    }
  }

  /** Tells whether the region has another server than before. */
  private record ServerGone(RegionLocator locator, HRegionLocation before) {
    boolean isOver() throws IOException {
      HRegionLocation now;
      try {
        now = locator.getRegionLocations(ROW, true).get(0);
      } catch (IOException e) {
        return false; // hbase:meta was there, too
      }
      return now != null
          && now.getServerName() != null
          && !now.getServerName().equals(before.getServerName());
    }
  }

  private static Configuration quick(ClusterProcesses cluster) {
    Configuration configuration = cluster.client();
    configuration.set("hbase.client.operation.timeout", "30000");
    configuration.set("hbase.client.meta.operation.timeout", "5000");
    configuration.set("hbase.rpc.timeout", "5000");
    return configuration;
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("%02d".formatted(number));
  }

  private static void fill(Table table, String value) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      table.put(new Put(row(i)).addColumn(FAMILY, FAMILY, Bytes.toBytes(value)));
    }
  }

  private static Get timeline(Get get) {
    return get.setConsistency(Consistency.TIMELINE);
  }

  private static Result replica(Table table) throws IOException {
    Get get = timeline(new Get(ROW));
    get.setReplicaId(1);
    return table.get(get);
  }

  private static String value(Result result) {
    return Bytes.toString(result.value());
  }

  private static void awaitAtReplica(ClusterProcesses cluster, Table table, String value)
      throws Exception {
    cluster.await("the replica has the value", () -> value.equals(value(replica(table))));
    assertThat(replica(table).isStale()).isTrue();
  }

  private static void assertStale(Result result, String value) {
    assertThat(result.isStale()).isTrue();
    assertThat(value(result)).isEqualTo(value);
  }

  private static void assertStaleScan(Table table) throws IOException {
    List<Result> results = new ArrayList<>();
    try (ResultScanner scanner =
        table.getScanner(new Scan().setConsistency(Consistency.TIMELINE).setCaching(3))) {
      scanner.forEach(results::add);
    }
    assertThat(results).hasSize(ROWS);
    results.forEach(result -> assertStale(result, "2"));
  }

  private static void assertApart(RegionLocator locator, int copies) throws IOException {
    List<HRegionLocation> places = locator.getRegionLocations(ROW, true);
    assertThat(places).hasSize(copies).doesNotContainNull();
    HashSet<Object> servers = new HashSet<>();
    places.forEach(place -> servers.add(place.getServerName()));
    assertThat(servers).hasSize(copies);
  }
}
