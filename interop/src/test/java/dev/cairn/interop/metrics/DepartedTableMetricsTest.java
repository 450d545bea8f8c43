package dev.cairn.interop.metrics;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.waiting.Eventually;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The metrics of a table disappear with its last region, however that leaves the server. */
class DepartedTableMetricsTest {
  private static final byte[] FAMILY = toBytes("f");
  private static final Pattern PUTS =
      Pattern.compile("cairn_regionserver_operation_seconds_count\\{[^}]*method=\"put\"} (\\d+)");

  private static MeasuredServer server;
  private static Connection connection;
  private static Admin admin;

  @BeforeAll
  static void start() throws IOException {
    server = MeasuredServer.start("hbase.quota.enabled", "true");
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  private static TableName create(String name) throws IOException {
    TableName table = TableName.valueOf(name);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build(),
        new byte[][] {toBytes("m")});
    use(table);
    return table;
  }

  private static void use(TableName name) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(new Put(toBytes("a")).addColumn(FAMILY, FAMILY, FAMILY));
      table.put(new Put(toBytes("z")).addColumn(FAMILY, FAMILY, FAMILY));
      table.get(new Get(toBytes("a")));
    }
  }

  private static String pages() throws IOException {
    return server.get("/jmx") + server.get("/metrics") + server.get("/prometheus");
  }

  private static long puts() throws IOException {
    Matcher count = PUTS.matcher(server.get("/metrics"));
    assertThat(count.find()).isTrue();
    return Long.parseLong(count.group(1));
  }

  private static int beans(List<String> tables) throws Exception {
    return ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("Hadoop:*"), null)
        .stream()
        .filter(name -> tables.stream().anyMatch(name.toString()::contains))
        .toList()
        .size();
  }

  @Test
  void noPageShowsATableThatHasLeft() throws Exception {
    Map<String, TableName> tables = new LinkedHashMap<>();
    admin.createNamespace(NamespaceDescriptor.create("space").build());
    for (String way : List.of("disabled", "dropped", "cloned", "throttled", "space:named")) {
      tables.put(way, create(way + "One"));
    }
    admin.snapshot("one", tables.get("cloned"));
    tables.put("copied", TableName.valueOf("copiedOne"));
    admin.cloneSnapshot("one", tables.get("copied"));
    use(tables.get("copied"));
    admin.setQuota(
        QuotaSettingsFactory.throttleTable(
            tables.get("throttled"), ThrottleType.REQUEST_NUMBER, 1_000_000, TimeUnit.DAYS));
    use(tables.get("throttled"));
    List<String> shown = tables.values().stream().map(TableName::getQualifierAsString).toList();
    assertThat(pages()).contains(shown);
    Eventually.holds(() -> beans(shown) == shown.size(), "each table has a bean");

    long before = puts();
    for (Map.Entry<String, TableName> each : tables.entrySet()) {
      admin.disableTable(each.getValue());
      if (!each.getKey().equals("disabled")) {
        admin.deleteTable(each.getValue());
      }
    }
    assertThat(pages()).doesNotContain(shown);
    assertThat(puts()).as("the sums of all tables").isGreaterThanOrEqualTo(before);
    Eventually.holds(() -> beans(shown) == 0, "all beans are gone");
  }

  @Test
  void aTableThatIsBackHasMetricsAgain() throws IOException {
    TableName table = create("returningOne");
    admin.disableTable(table);
    assertThat(pages()).doesNotContain("returningOne");
    admin.enableTable(table);
    use(table);
    assertThat(server.get("/metrics"))
        .containsPattern(
            "cairn_table_request_seconds_count\\{[^}]*table=\"returningOne\",method=\"put\"} 2");
  }
}
