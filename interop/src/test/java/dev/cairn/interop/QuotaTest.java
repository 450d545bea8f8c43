package dev.cairn.interop;

import static dev.cairn.interop.ClientContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.quotas.QuotaFilter;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Throttles, set and listed by HBase's client, which reads {@code hbase:quota} itself. */
class QuotaTest {
  private static final byte[] F = bytes("f");

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.quota.enabled", "true")
            .setting("hbase.master.info.port", "0")
            .setting("hbase.quota.refresh.period", "50")
            .start();
    Configuration impatient = server.configuration();
    impatient.setInt("hbase.client.retries.number", 0);
    connection = ConnectionFactory.createConnection(impatient);
    admin = connection.getAdmin();
    Eventually.holds(
        () -> admin.isTableAvailable(TableName.valueOf("hbase:quota")), "hbase:quota is there");
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  @Test
  void whatIsSetIsListedAndGoesWithItsTable() throws Exception {
    TableName name = TableName.valueOf("listed");
    create(name);
    admin.setQuota(
        QuotaSettingsFactory.throttleTable(
            name, ThrottleType.REQUEST_NUMBER, 1_000, TimeUnit.SECONDS));
    admin.setQuota(
        QuotaSettingsFactory.throttleUser(
            "bert", name, ThrottleType.READ_SIZE, 1_000, TimeUnit.SECONDS));
    admin.setQuota(QuotaSettingsFactory.bypassGlobals("carl", true));
    List<QuotaSettings> all = admin.getQuota(new QuotaFilter());
    assertThat(all)
        .anyMatch(one -> name.equals(one.getTableName()) && one.getUserName() == null)
        .anyMatch(one -> name.equals(one.getTableName()) && "bert".equals(one.getUserName()))
        .anyMatch(one -> "carl".equals(one.getUserName()));
    assertThat(all.toString()).contains("1000req/sec", "1000.00B/sec", "GLOBAL_BYPASS => true");
    assertThat(admin.getQuota(new QuotaFilter().setTableFilter("listed"))).isNotEmpty();

    admin.setQuota(QuotaSettingsFactory.unthrottleUser("bert", name));
    admin.setQuota(QuotaSettingsFactory.bypassGlobals("carl", false));
    assertThat(admin.getQuota(new QuotaFilter().setUserFilter("bert"))).isEmpty();

    admin.disableTable(name);
    admin.deleteTable(name);
    Eventually.holds(
        () -> admin.getQuota(new QuotaFilter().setTableFilter("listed")).isEmpty(),
        "the quota has gone with the table");
  }

  @Test
  void thePageShowsWhatIsSet() throws Exception {
    TableName name = TableName.valueOf("shown");
    create(name);
    admin.setQuota(
        QuotaSettingsFactory.throttleTable(
            name, ThrottleType.REQUEST_SIZE, 2_000, TimeUnit.MINUTES));
    admin.setQuota(
        QuotaSettingsFactory.throttleUser(
            "dora", name, ThrottleType.READ_NUMBER, 7, TimeUnit.SECONDS));
    admin.setQuota(
        QuotaSettingsFactory.throttleNamespace(
            "default", ThrottleType.REQUEST_NUMBER, 1_000_000, TimeUnit.SECONDS));
    admin.setQuota(
        QuotaSettingsFactory.throttleRegionServer(
            "all", ThrottleType.WRITE_SIZE, 1L << 40, TimeUnit.SECONDS));
    admin.setQuota(QuotaSettingsFactory.bypassGlobals("emil", true));
    JsonObject page = page();
    assertThat(page.getAsJsonObject("switches").get("throttles").getAsString())
        .isEqualTo("in force");
    assertThat(page.getAsJsonObject("throttles").getAsJsonArray("rows").toString())
        .contains(
            row("table shown", "request size", "2000", "minute", "machine"),
            row("user dora, table shown", "read number", "7", "second", "machine"),
            row("namespace default", "request number", "1000000", "second", "machine"),
            row("each region server", "write size", "1099511627776", "second", "machine"),
            row("user emil", "bypass globals", "null", "", ""));
    assertThat(admin.switchRpcThrottle(false)).isTrue();
    try {
      assertThat(page().getAsJsonObject("switches").get("throttles").getAsString())
          .isEqualTo("turned off");
    } finally {
      admin.switchRpcThrottle(true);
    }
    admin.setQuota(QuotaSettingsFactory.unthrottleNamespace("default"));
    admin.setQuota(QuotaSettingsFactory.unthrottleRegionServer("all"));
    admin.setQuota(QuotaSettingsFactory.bypassGlobals("emil", false));
    admin.disableTable(TableName.valueOf("hbase:quota"));
    try {
      assertThat(page().getAsJsonArray("notices").toString()).contains("hbase:quota cannot be");
    } finally {
      admin.enableTable(TableName.valueOf("hbase:quota"));
    }
  }

  private static String row(String limited, String kind, String limit, String unit, String scope) {
    return String.format(
        "{\"limited\":\"%s\",\"kind\":\"%s\",\"limit\":%s,\"unit\":\"%s\",\"scope\":\"%s\"}",
        limited, kind, limit, unit, scope);
  }

  private static JsonObject page() throws IOException {
    String address = "http://localhost:" + server.web().orElseThrow().getPort() + "/api/v1/quotas";
    try (InputStream in = URI.create(address).toURL().openStream()) {
      return JsonParser.parseString(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .getAsJsonObject();
    }
  }

  @Test
  void whatIsTooMuchIsRefusedUntilTheThrottleGoes() throws Exception {
    TableName name = TableName.valueOf("throttled");
    create(name);
    try (Table table = connection.getTable(name)) {
      admin.setQuota(
          QuotaSettingsFactory.throttleTable(name, ThrottleType.WRITE_NUMBER, 1, TimeUnit.HOURS));
      Eventually.holds(() -> !isPut(table), "a second put in an hour is refused");
      assertThatThrownBy(() -> table.put(put()))
          .hasStackTraceContaining(RpcThrottlingException.class.getName())
          .hasStackTraceContaining("number of write requests exceeded");
      assertThat(table.exists(new org.apache.hadoop.hbase.client.Get(bytes("r")))).isTrue();

      assertThat(admin.switchRpcThrottle(false)).isTrue();
      Eventually.holds(() -> isPut(table), "nothing is throttled while throttles are off");
      assertThat(admin.switchRpcThrottle(true)).isFalse();
      admin.setQuota(QuotaSettingsFactory.unthrottleTable(name));
      Eventually.holds(() -> isPut(table), "the table is not throttled any more");
    }
  }

  @Test
  void tablesCanBeDeletedWhileTheTableOfQuotasIsClosed() throws Exception {
    TableName quotas = TableName.valueOf("hbase:quota");
    TableName name = TableName.valueOf("deleted_meanwhile");
    create(name);
    admin.disableTable(quotas);
    try {
      admin.disableTable(name);
      admin.deleteTable(name);
      assertThat(admin.tableExists(name)).isFalse();
    } finally {
      admin.enableTable(quotas);
    }
  }

  private static Put put() {
    return new Put(bytes("r")).addColumn(F, F, F);
  }

  private static boolean isPut(Table table) {
    try {
      table.put(put());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void create(TableName name) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build());
  }
}
