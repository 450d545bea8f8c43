package dev.cairn.interop;

import static dev.cairn.interop.ClientContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
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
