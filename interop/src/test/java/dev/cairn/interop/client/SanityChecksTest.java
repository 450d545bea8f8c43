package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.interop.process.SharedHBase;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tables that HBase refuses for their attributes, and that Cairn refuses in the same words. */
class SanityChecksTest {
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  /** What a refusal ends with if the check can be turned off. */
  private static final String BYPASS = " Set hbase.table.sanity.checks to false";

  /** Changes of an ordinary table that both servers take once the checks are off. */
  private static Map<String, UnaryOperator<TableDescriptorBuilder>> unwise() {
    Map<String, UnaryOperator<TableDescriptorBuilder>> tables = new LinkedHashMap<>();
    tables.put("small_files", table -> table.setMaxFileSize(1024));
    tables.put("small_flushes", table -> table.setMemStoreFlushSize(1024));
    tables.put("small_blocks", table -> family(table, "BLOCKSIZE", "1000"));
    tables.put("large_blocks", table -> family(table, "BLOCKSIZE", "" + (17 << 20)));
    tables.put("negative_scope", table -> family(table, "REPLICATION_SCOPE", "-1"));
    tables.put("large_scope", table -> family(table, "REPLICATION_SCOPE", "7"));
    tables.put("replication", table -> family(table, "DFS_REPLICATION", "-1"));
    return tables;
  }

  /** Changes that a server could not work with. */
  private static Map<String, UnaryOperator<TableDescriptorBuilder>> impossible() {
    Map<String, UnaryOperator<TableDescriptorBuilder>> tables = new LinkedHashMap<>();
    tables.put("no_family", table -> table.removeColumnFamily(toBytes("f")));
    tables.put(
        "split_policy",
        table ->
            table.setRegionSplitPolicyClassName(
                "org.apache.hadoop.hbase.regionserver.NoSuchPolicy"));
    tables.put("no_time_to_live", table -> family(table, "TTL", "0"));
    tables.put("negative_time_to_live", table -> family(table, "TTL", "-5"));
    tables.put("negative_versions", table -> family(table, "MIN_VERSIONS", "-1"));
    tables.put("more_versions", table -> family(table, "MIN_VERSIONS", "5"));
    tables.put("no_replica", table -> table.setRegionReplication(0));
    return tables;
  }

  private static TableDescriptorBuilder family(
      TableDescriptorBuilder table, String key, String value) {
    return table.modifyColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(table.build().getColumnFamily(toBytes("f")))
            .setValue(key, value)
            .build());
  }

  @Test
  void refusalsAreThoseOfHBase() throws Exception {
    try (CairnServer server = CairnServer.start();
        Connection cairn = ConnectionFactory.createConnection(server.configuration());
        Connection hbase = ConnectionFactory.createConnection(HBASE.configuration())) {
      Map<String, UnaryOperator<TableDescriptorBuilder>> all = unwise();
      all.putAll(impossible());
      all.forEach(
          (name, change) -> {
            String expected = refusal(hbase, "refused_" + name, change);
            assertThat(refusal(cairn, "refused_" + name, change))
                .as(name)
                .startsWith(expected.substring(0, expected.indexOf(BYPASS)));
          });
      unwise()
          .forEach(
              (name, change) ->
                  assertThat(refusal(cairn, "told_" + name, change)).as(name).contains(BYPASS));
    }
  }

  @Test
  void aTableCanTurnTheChecksOff() throws Exception {
    try (CairnServer server = CairnServer.start();
        Connection cairn = ConnectionFactory.createConnection(server.configuration());
        Admin admin = cairn.getAdmin()) {
      for (Map.Entry<String, UnaryOperator<TableDescriptorBuilder>> one : unwise().entrySet()) {
        TableDescriptorBuilder table =
            table("bypassed_" + one.getKey()).setValue("hbase.table.sanity.checks", "false");
        admin.createTable(one.getValue().apply(table).build());
      }
    }
  }

  private static String refusal(
      Connection connection, String name, UnaryOperator<TableDescriptorBuilder> change) {
    Throwable refused = catchThrowable(() -> create(connection, name, change));
    assertThat(refused).as(name).isInstanceOf(DoNotRetryIOException.class);
    return refused.getMessage();
  }

  private static void create(
      Connection connection, String name, UnaryOperator<TableDescriptorBuilder> change)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(change.apply(table(name)).build());
    }
  }

  private static TableDescriptorBuilder table(String name) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
  }
}
