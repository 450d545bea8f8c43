package dev.cairn.coprocessor.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tables name split policies of their own. */
class SplitPolicyOfTableTest {
  private static final byte[] F = Bytes.toBytes("f");

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().setting("hbase.client.retries.number", "3").start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  private static TableDescriptorBuilder table(TableName name, Class<?> policy) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .setRegionSplitPolicyClassName(policy.getName());
  }

  private static void fill(TableName name) throws IOException {
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < 100; i++) {
        byte[] row = Bytes.toBytes(String.format("%03d-row", i * 10));
        table.put(new Put(row).addColumn(F, F, new byte[1000]));
      }
    }
    admin.flush(name);
  }

  private static byte[] awaitSplit(TableName name) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> admin.getRegions(name).size() == 2);
    try {
      List<RegionInfo> regions = admin.getRegions(name);
      return regions.get(1).getStartKey();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSplitOnRequestIsAtTheRowOfThePolicy() throws IOException {
    TableName name = TableName.valueOf("cut");
    admin.createTable(table(name, Policies.Cut.class).build());
    fill(name);
    admin.split(name);
    assertThat(awaitSplit(name)).hasSize(2);
  }

  @Test
  void aRegionIsSplitWhenThePolicySaysSo() throws IOException {
    TableName name = TableName.valueOf("eager");
    admin.createTable(table(name, Policies.Eager.class).setValue("test.size", "1").build());
    fill(name);
    admin.majorCompact(name); // A policy is asked after compactions.
    assertThat(awaitSplit(name)).isNotEmpty();
  }

  @Test
  void aPolicyThatCannotBeLoadedIsRefused() {
    TableName name = TableName.valueOf("refused");
    assertThatThrownBy(() -> admin.createTable(table(name, String.class).build()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("java.lang.String is no RegionSplitPolicy")
        .hasMessageContaining("Set hbase.table.sanity.checks to false");
  }

  @Test
  void aTableWhoseChecksAreOffIsServedAndNotSplit() throws IOException {
    TableName name = TableName.valueOf("unchecked");
    admin.createTable(
        table(name, String.class).setValue("hbase.table.sanity.checks", "false").build());
    fill(name);
    byte[] region = admin.getRegions(name).get(0).getRegionName();
    assertThatThrownBy(() -> admin.splitRegionAsync(region).get())
        .hasMessageContaining("is not split: java.lang.String is no RegionSplitPolicy")
        .hasMessageNotContaining("references");
    assertThatThrownBy(() -> admin.splitRegionAsync(region, Bytes.toBytes("5")).get())
        .hasMessageContaining("Or its table's split policy java.lang.String does not allow it");
    assertThat(admin.getRegions(name)).hasSize(1);
  }

  @Test
  void aPolicyThatForbidsSplitsIsNamed() throws IOException {
    TableName name = TableName.valueOf("never");
    admin.createTable(table(name, Policies.Never.class).build());
    fill(name);
    byte[] region = admin.getRegions(name).get(0).getRegionName();
    String policy = "split policy " + Policies.Never.class.getName() + " does not allow it";
    assertThatThrownBy(() -> admin.splitRegionAsync(region).get()).hasMessageContaining(policy);
    assertThatThrownBy(() -> admin.splitRegionAsync(region, Bytes.toBytes("5")).get())
        .hasMessageContaining(policy);
    assertThat(admin.getRegions(name)).hasSize(1);
  }

  @Test
  void aPolicyThatFailsIsNamedWithItsReason() throws IOException {
    TableName name = TableName.valueOf("failing");
    admin.createTable(table(name, Policies.Failing.class).build());
    fill(name);
    long files = storeFiles(name);
    try (Table table = connection.getTable(name)) {
      table.put(new Put(F).addColumn(F, F, F));
    }
    assertThatThrownBy(
            () -> admin.splitRegionAsync(admin.getRegions(name).get(0).getRegionName()).get())
        .hasMessageContaining("the split policy " + Policies.Failing.class.getName() + " failed");
    assertThat(storeFiles(name)).as("no flush").isEqualTo(files);
  }

  private static long storeFiles(TableName name) throws IOException {
    return admin
        .getRegionMetrics(admin.getRegionServers().iterator().next(), name)
        .get(0)
        .getStoreFileCount();
  }

  @Test
  void aRowOfThePolicysOwnNeedsNoMiddle() throws IOException {
    TableName name = TableName.valueOf("own");
    admin.createTable(table(name, Policies.Own.class).build());
    admin.split(name);
    assertThat(awaitSplit(name)).isEqualTo(Bytes.toBytes("500"));
  }

  @Test
  void aPolicyUnderTheKeyOfTheSiteIsExamined() {
    TableName name = TableName.valueOf("configured");
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setValue("hbase.regionserver.region.split.policy", String.class.getName());
    assertThatThrownBy(() -> admin.createTable(table.build()))
        .hasMessageContaining("java.lang.String is no RegionSplitPolicy");
  }
}
