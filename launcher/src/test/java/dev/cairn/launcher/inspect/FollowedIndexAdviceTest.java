package dev.cairn.launcher.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.CommandHome;
import dev.cairn.launcher.LocalServer;
import dev.cairn.launcher.client.ClientConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.CompareOperator;
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
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that filtered scans make the adviser propose an index, and that the index has the promised
 * effect.
 */
class FollowedIndexAdviceTest {
  private static final TableName TABLE = TableName.valueOf("people");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] CITY = Bytes.toBytes("city");
  private static final int ROWS = 20_000;
  private static final int CITIES = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern CREATED =
      Pattern.compile("create_index 'people', '([^']+)', COLUMNS => '([^']+)'");

  @TempDir private Path home;
  private int scans;

  @Test
  void anIndexThatTheAdviserProposesIsUsed() throws Exception {
    CommandHome commands = new CommandHome(home);
    try (LocalServer server = new LocalServer(home.resolve("data"));
        Connection connection =
            ConnectionFactory.createConnection(
                ClientConfiguration.of(Map.of(), server.addresses()));
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      commands.site(server.addresses().zooKeeper());
      fill(admin, table);
      double before = rowsPerResult(table);
      Matcher advice =
          Awaitility.await()
              .pollInSameThread()
              .atMost(PATIENCE)
              .until(
                  () -> {
                    for (int i = 0; i < 20; i++) {
                      rowsPerResult(table);
                    }
                    return CREATED.matcher(commands.run("advise", "people"));
                  },
                  Matcher::find);
      System.out.println(commands.run("advise", "people"));
      assertThat(advice.group(2)).isEqualTo("f:city");

      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(TABLE))
              .setValue("cairn.index." + advice.group(1), advice.group(2))
              .build());
      double after =
          Awaitility.await()
              .pollInSameThread()
              .atMost(PATIENCE)
              .until(() -> rowsPerResult(table), rows -> rows < before / 100);
      System.out.printf(
          Locale.ROOT, "Rows looked at for each row returned: %.0f -> %.1f%n", before, after);
      assertThat(before).isGreaterThan(CITIES / 2.0);
      assertThat(after).isEqualTo(1);
    }
  }

  private static void fill(Admin admin, Table table) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build());
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] row = Bytes.toBytes(String.format(Locale.ROOT, "%06d", i));
      puts.add(new Put(row).addColumn(FAMILY, CITY, city(i)));
    }
    table.put(puts);
    admin.flush(TABLE);
  }

  private static byte[] city(int i) {
    return Bytes.toBytes("city" + i % CITIES);
  }

  /** Scans for one of the cities. */
  private double rowsPerResult(Table table) throws IOException {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(FAMILY, CITY, CompareOperator.EQUAL, city(scans++));
    filter.setFilterIfMissing(true);
    Scan scan = new Scan().setFilter(filter).setScanMetricsEnabled(true);
    int results = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        results++;
      }
      scanner.close(); // completes the counters
      Map<String, Long> metrics = scanner.getScanMetrics().getMetricsMap();
      long looked = metrics.get(ServerSideScanMetrics.COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME);
      assertThat(results).isEqualTo(ROWS / CITIES);
      return (double) looked / results;
    }
  }
}
