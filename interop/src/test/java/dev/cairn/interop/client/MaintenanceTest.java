package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.waiting.Eventually;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.hbase.snapshot.UnknownSnapshotException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The master's maintenance, run when an administrator asks for it. */
class MaintenanceTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final String FLUSH = "flush-table-proc";
  private static final String SNAPSHOT = "online-snapshot";
  private static final byte[] F = toBytes("f");

  @Test
  void theProcedureByWhichOlderClientsFlushATableFlushesIt() throws Exception {
    try (TestTable table = filled()) {
      assertThat(storeFiles(table)).isZero();
      table.admin().execProcedure(FLUSH, table.name().getNameAsString(), Map.of());
      Eventually.holds(() -> storeFiles(table) == 1, "the table is flushed");
      assertThat(isFlushed(table)).isTrue();

      table.put("r1", "f:q", "again");
      byte[] returned =
          table.admin().execProcedureWithReturn(FLUSH, table.name().getNameAsString(), Map.of());
      assertThat(returned).isNull();
      if (ServerUnderTest.isCairn()) { // HBase answers without a flush
        assertThat(storeFiles(table)).isEqualTo(2);
      }
    }
  }

  @Test
  void onlyTheFamiliesThatTheProcedureNamesAreFlushed() throws Exception {
    try (TestTable table = SERVER.create("maintained", "f", "g")) {
      table.put("r1", "f:q", "1");
      table.put("r1", "g:q", "1");
      table.admin().execProcedure(FLUSH, table.name().getNameAsString(), Map.of("family", "g"));
      Eventually.holds(() -> isFlushed(table), "the flush has ended");
      Eventually.holds(() -> storeFiles(table) == 1, "one family is flushed");
    }
  }

  @Test
  void aSnapshotIsTakenByItsProcedure() throws Exception {
    try (TestTable table = filled()) {
      Admin admin = table.admin();
      String name = table.name().getNameAsString() + "_snapshot";
      Map<String, String> ofTable = Map.of("table", table.name().getNameAsString());
      admin.execProcedure(SNAPSHOT, name, ofTable);
      assertThat(admin.isProcedureFinished(SNAPSHOT, name, ofTable)).isTrue();
      assertThat(admin.listSnapshots(Pattern.compile(name)))
          .singleElement()
          .satisfies(taken -> assertThat(taken.getTableName()).isEqualTo(table.name()));
      TableName clone = TableName.valueOf(name + "_clone");
      admin.cloneSnapshot(name, clone);
      assertThat(admin.getDescriptor(clone).getColumnFamilyNames()).containsExactly(F);
      admin.disableTable(clone);
      admin.deleteTable(clone);

      assertThatThrownBy(() -> admin.execProcedure(SNAPSHOT, name, ofTable))
          .isInstanceOf(SnapshotExistsException.class);
      assertThatThrownBy(
              () -> admin.execProcedure(SNAPSHOT, name + "2", Map.of("table", "no-such-table")))
          .isInstanceOf(SnapshotCreationException.class)
          .hasMessageContaining("Table 'no-such-table' doesn't exist, can't take snapshot.");
      assertThatThrownBy(() -> admin.isProcedureFinished(SNAPSHOT, name + "2", ofTable))
          .isInstanceOf(UnknownSnapshotException.class);
      admin.deleteSnapshot(name);
    }
  }

  @Test
  void aSnapshotByItsProcedureNeedsATableAndNothingElse() throws Exception {
    if (!ServerUnderTest.isCairn()) {
      return; // HBase answers with retriable errors, ignores settings, and takes no snapshot.
    }
    try (TestTable table = filled()) {
      Admin admin = table.admin();
      String name = table.name().getNameAsString() + "_snapshot";
      Map<String, String> ofTable = Map.of("table", table.name().getNameAsString());
      assertThat(admin.execProcedureWithReturn(SNAPSHOT, name, ofTable)).isNull();
      assertThat(admin.listSnapshots(Pattern.compile(name))).hasSize(1);
      admin.deleteSnapshot(name);
      assertThatThrownBy(() -> admin.execProcedure(SNAPSHOT, name, Map.of()))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("Snapshot table is not defined");
      assertThatThrownBy(
              () ->
                  admin.execProcedure(
                      SNAPSHOT,
                      name,
                      Map.of("table", table.name().getNameAsString(), "ttl", "100")))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("does not know the setting ttl of online-snapshot");
      assertThat(admin.listSnapshots(Pattern.compile(name))).isEmpty();
    }
  }

  @Test
  void proceduresThatNobodyKnowsAreRefused() {
    assertThatThrownBy(() -> SERVER.admin().execProcedure("no-such-proc", "i", Map.of()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("The procedure is not registered: no-such-proc");
    if (ServerUnderTest.isCairn()) { // HBase answers these with an error to be retried
      assertThatThrownBy(
              () -> SERVER.admin().execProcedureWithReturn("no-such-proc", "i", Map.of()))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("The procedure is not registered: no-such-proc");
      assertThatThrownBy(() -> SERVER.admin().isProcedureFinished("no-such-proc", "i", Map.of()))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("no-such-proc");
    }
  }

  @Test
  void aScanOfTheCatalogArchivesRegionsThatWereSplit() throws Exception {
    try (TestTable table = filled()) {
      table.flush();
      RegionInfo parent = table.admin().getRegions(table.name()).get(0);
      table
          .admin()
          .splitRegionAsync(parent.getRegionName(), toBytes("r5"))
          .get(60, TimeUnit.SECONDS);
      // The daughters may have been compacted by now.
      boolean archived = table.admin().runCatalogJanitor() > 0;
      table.majorCompact();
      Eventually.holds(
          () -> archived || table.admin().runCatalogJanitor() > 0, "the split region is archived");
      if (ServerUnderTest.isCairn()) { // HBase archives later
        assertThat(table.admin().runCatalogJanitor()).isZero();
      }
    }
  }

  @Test
  void cleanersRunOnRequestUnlessTheyAreSwitchedOff() throws IOException {
    assertThat(SERVER.admin().runCleanerChore()).isTrue();
    SERVER.admin().cleanerChoreSwitch(false);
    try {
      assertThat(SERVER.admin().runCleanerChore()).isFalse();
    } finally {
      SERVER.admin().cleanerChoreSwitch(true);
    }
  }

  @Test
  @SuppressWarnings("deprecation") // the only way to send the request
  void aProcedureThatIsUnknownIsNotAborted() throws Exception {
    assertThat(SERVER.admin().abortProcedureAsync(1L << 40, true).get()).isFalse();
  }

  @Test
  void aRegionIsTakenOfflineAndBroughtBack() throws Exception {
    if (!ServerUnderTest.isCairn()) {
      return; // HBase's master would lose track of the region.
    }
    try (TestTable table = filled()) {
      RegionInfo region = table.admin().getRegions(table.name()).get(0);
      offline(table, region.getRegionName());
      offline(table, region.getRegionName());
      table.admin().assign(region.getRegionName());
      assertThat(table.table().get(new Get(toBytes("r1"))).isEmpty()).isFalse();
      assertThatThrownBy(() -> offline(table, toBytes("no such region")))
          .isInstanceOf(UnknownRegionException.class);
    }
  }

  @SuppressWarnings("deprecation") // the only way to send the request
  private static void offline(TestTable table, byte[] region) throws IOException {
    table.admin().offline(region);
  }

  private static TestTable filled() throws Exception {
    TestTable table = SERVER.create("maintained", "f");
    for (int i = 0; i < 10; i++) {
      table.table().put(new Put(toBytes("r" + i)).addColumn(F, toBytes("q"), new byte[100]));
    }
    return table;
  }

  private static boolean isFlushed(TestTable table) throws IOException {
    return table.admin().isProcedureFinished(FLUSH, table.name().getNameAsString(), Map.of());
  }

  private static int storeFiles(TestTable table) throws IOException {
    return table.admin().getClusterMetrics().getLiveServerMetrics().values().stream()
        .flatMap(server -> server.getRegionMetrics().values().stream())
        .filter(region -> RegionInfo.getTable(region.getRegionName()).equals(table.name()))
        .mapToInt(region -> region.getStoreFileCount())
        .sum();
  }
}
