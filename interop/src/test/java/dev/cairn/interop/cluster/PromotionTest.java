package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server of a replica takes a region over from its killed server, under Apache's client. */
@Timeout(300)
@Tag("long")
class PromotionTest {
  private static final TableName TABLE = TableName.valueOf("copied");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] FIRST = row(0);
  private static final int KILLS = 3;

  @TempDir private Path folder;

  /** The rows whose puts were acknowledged, in order. */
  private final List<byte[]> acknowledged = new CopyOnWriteArrayList<>();

  private final List<String> failures = new CopyOnWriteArrayList<>();
  private volatile int kills;
  private volatile boolean stopped;

  @Test
  void writesGoOnWhereTheReplicaWasAndTimelineReadsNeverFail() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.onLocalFolder(folder, 1, 3, Map.of());
        Connection connection = ConnectionFactory.createConnection(cluster.client());
        Admin admin = connection.getAdmin();
        RegionLocator locator = connection.getRegionLocator(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setRegionReplication(2)
              .build());
      Thread writer = new Thread(() -> write(connection), "writer");
      Thread reader = new Thread(() -> read(connection), "reader");
      writer.start();
      cluster.await("the first row is written", () -> !acknowledged.isEmpty());
      admin.flush(TABLE);
      cluster.await("the replica has the first row", () -> hasFirstAtReplica(connection));
      reader.start();
      try {
        while (kills < KILLS) {
          cluster.await("the copies are apart", () -> areApart(locator));
          List<HRegionLocation> places = locator.getRegionLocations(FIRST, true);
          ServerName dead = places.get(0).getServerName();
          ServerName successor = places.get(1).getServerName();
          cluster.kill(cluster.nameOf(dead.getPort()));
          kills = kills + 1; // of this thread alone
          int before = acknowledged.size();
          cluster.await("writes go on", () -> acknowledged.size() > before + 1);
          cluster.await(
              "the region is where its replica was",
              () -> successor.equals(primary(locator).orElse(dead)));
          cluster.launch(cluster.nameOf(dead.getPort()));
          cluster.awaitServing();
        }
      } finally {
        stopped = true;
        writer.join();
        reader.join();
      }
      assertThat(failures).isEmpty();
      assertThat(missing(connection)).isEmpty();
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("%06d".formatted(number));
  }

  private void write(Connection connection) {
    try (Table table = connection.getTable(TABLE)) {
      while (!stopped) {
        byte[] row = row(acknowledged.size());
        table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
        acknowledged.add(row);
      }
    } catch (IOException e) {
      failures.add("put: " + e);
    }
  }

  /** Reads the flushed row, which each replica has. */
  private void read(Connection connection) {
    try (Table table = connection.getTable(TABLE)) {
      while (!stopped) {
        if (table.get(new Get(FIRST).setConsistency(Consistency.TIMELINE)).isEmpty()) {
          failures.add("get: went back to the time before the flush, after " + kills + " kills");
        }
      }
    } catch (IOException e) {
      failures.add("get: " + e);
    }
  }

  private static boolean hasFirstAtReplica(Connection connection) throws IOException {
    Get get = new Get(FIRST).setConsistency(Consistency.TIMELINE);
    get.setReplicaId(1);
    try (Table table = connection.getTable(TABLE)) {
      return !table.get(get).isEmpty();
    }
  }

  private List<String> missing(Connection connection) throws IOException {
    List<String> missing = new ArrayList<>();
    try (Table table = connection.getTable(TABLE)) {
      boolean[] found = table.exists(acknowledged.stream().map(Get::new).toList());
      for (int i = 0; i < found.length; i++) {
        if (!found[i]) {
          missing.add(Bytes.toString(acknowledged.get(i)));
        }
      }
    }
    return missing;
  }

  private static Optional<ServerName> primary(RegionLocator locator) {
    try {
      return Optional.ofNullable(locator.getRegionLocations(FIRST, true).get(0))
          .map(HRegionLocation::getServerName);
    } catch (IOException e) {
      return Optional.empty(); // hbase:meta was at the killed server, too
    }
  }

  private static boolean areApart(RegionLocator locator) throws IOException {
    List<HRegionLocation> places = locator.getRegionLocations(FIRST, true);
    return places.size() == 2
        && places.stream().allMatch(place -> place != null && place.getServerName() != null)
        && !places.get(0).getServerName().equals(places.get(1).getServerName());
  }
}
