package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A throttle counts on every region server, also on those that do not host the settings. */
@Timeout(300)
class ClusterQuotaTest {
  private static final TableName QUOTAS = TableName.valueOf("hbase:quota");
  private static final TableName NAME = TableName.valueOf("throttled");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] LOW = Bytes.toBytes("a");
  private static final byte[] HIGH = Bytes.toBytes("z");

  @TempDir private Path folder;

  @Test
  void aThrottleIsInForceOnAllServers() throws Exception {
    try (ClusterProcesses cluster =
        ClusterProcesses.onLocalFolder(
            folder,
            1,
            2,
            Map.of("hbase.quota.enabled", "true", "hbase.quota.refresh.period", "100"))) {
      Configuration impatient = cluster.client();
      impatient.setInt("hbase.client.retries.number", 0);
      try (Connection patient = ConnectionFactory.createConnection(cluster.client());
          Connection connection = ConnectionFactory.createConnection(impatient);
          Table table = connection.getTable(NAME)) {
        Admin admin = patient.getAdmin();
        cluster.await("hbase:quota is there", () -> admin.isTableAvailable(QUOTAS));
        admin.createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            new byte[][] {Bytes.toBytes("m")});
        placeApart(cluster, admin, patient.getRegionLocator(NAME));

        admin.setQuota(
            QuotaSettingsFactory.throttleTable(NAME, ThrottleType.WRITE_NUMBER, 1, TimeUnit.HOURS));
        cluster.await("the first server throttles", () -> !isPut(table, LOW));
        cluster.await("the second server throttles", () -> !isPut(table, HIGH));
        assertThat(isPut(table, LOW)).isFalse();

        admin.setQuota(QuotaSettingsFactory.unthrottleTable(NAME));
        cluster.await("the first server does not throttle", () -> isPut(table, LOW));
        cluster.await("the second server does not throttle", () -> isPut(table, HIGH));
      }
    }
  }

  /** Moves the second region unless it is at another server than the first. */
  private static void placeApart(ClusterProcesses cluster, Admin admin, RegionLocator regions)
      throws Exception {
    if (server(regions, LOW).equals(server(regions, HIGH))) {
      admin.move(regions.getRegionLocation(HIGH, true).getRegion().getEncodedNameAsBytes());
    }
    cluster.await(
        "the regions are apart", () -> !server(regions, LOW).equals(server(regions, HIGH)));
  }

  private static String server(RegionLocator regions, byte[] row) throws IOException {
    return regions.getRegionLocation(row, true).getServerName().getServerName();
  }

  private static boolean isPut(Table table, byte[] row) throws IOException {
    try {
      table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
      return true;
    } catch (RetriesExhaustedException | RpcThrottlingException e) {
      if (e.getCause() instanceof RpcThrottlingException || e instanceof RpcThrottlingException) {
        return false;
      }
      throw e;
    }
  }
}
