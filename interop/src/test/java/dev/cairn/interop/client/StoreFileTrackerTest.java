package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Store file trackers of tables and families, and the way from one to another. */
class StoreFileTrackerTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final String TRACKER = "hbase.store.file-tracker.impl";
  private static final String SOURCE = "hbase.store.file-tracker.migration.src.impl";
  private static final String TARGET = "hbase.store.file-tracker.migration.dst.impl";

  @Test
  void aTableGoesToListedFilesAndBackAndKeepsItsCells() throws Exception {
    try (TestTable table = SERVER.create("tracked", "f", "g")) {
      fill(table, 1);
      List<String> before = table.scan(new Scan());
      table.admin().modifyTableStoreFileTrackerAsync(table.name(), "FILE").get();
      assertThat(tracker(table)).isEqualTo("FILE");
      assertThat(descriptor(table).getValue(SOURCE)).isNull();
      assertThat(table.scan(new Scan())).isEqualTo(before);

      fill(table, 2);
      table.majorCompact();
      fill(table, 3);
      List<String> listed = table.scan(new Scan());
      table.admin().modifyTableStoreFileTrackerAsync(table.name(), "FILE").get();
      table.admin().modifyTableStoreFileTrackerAsync(table.name(), "DEFAULT").get();
      assertThat(tracker(table)).isEqualTo("DEFAULT");
      assertThat(table.scan(new Scan())).isEqualTo(listed).hasSizeGreaterThan(before.size());
    }
  }

  @Test
  void aFamilyHasATrackerOfItsOwn() throws Exception {
    try (TestTable table = SERVER.create("tracked", "f", "g")) {
      fill(table, 1);
      List<String> before = table.scan(new Scan());
      Admin admin = table.admin();
      admin.modifyColumnFamilyStoreFileTrackerAsync(table.name(), toBytes("g"), "FILE").get();
      assertThat(descriptor(table).getColumnFamily(toBytes("g")).getConfigurationValue(TRACKER))
          .isEqualTo("FILE");
      assertThat(descriptor(table).getColumnFamily(toBytes("f")).getConfigurationValue(TRACKER))
          .isNull();
      assertThat(tracker(table)).isEqualTo("DEFAULT");
      assertThat(table.scan(new Scan())).isEqualTo(before);
    }
  }

  @Test
  void regionsWithListedFilesAreSplitMergedAndTruncated() throws Exception {
    try (TestTable table =
        SERVER.create(
            TableDescriptorBuilder.newBuilder(SERVER.newName("tracked"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue(TRACKER, "FILE")
                .build(),
            null)) {
      for (int i = 0; i < 40; i++) {
        table.put("r%02d".formatted(i), "f:q", "v");
      }
      table.flush();
      List<String> before = table.scan(new Scan());
      Admin admin = table.admin();
      admin.splitRegionAsync(region(table, 0), toBytes("r20")).get();
      assertThat(table.scan(new Scan())).isEqualTo(before);
      table.majorCompact();
      assertThat(table.scan(new Scan())).isEqualTo(before);
      admin.mergeRegionsAsync(new byte[][] {region(table, 0), region(table, 1)}, false).get();
      assertThat(table.scan(new Scan())).isEqualTo(before);
      table.majorCompact();
      admin.truncateRegion(region(table, 0));
      assertThat(table.scan(new Scan())).isEmpty();
      table.put("r1", "f:q", "v");
      table.flush();
      assertThat(table.scan(new Scan())).hasSize(1);
    }
  }

  @Test
  void aStepThatIsLeftOutIsRefused() throws Exception {
    try (TestTable table = SERVER.create("tracked", "f")) {
      String where = " for family f of table " + table.name();
      refused(
          () -> modify(table, Map.of(TRACKER, "FILE")),
          "Should change to MIGRATION first when migrating from DEFAULT" + where);
      refused(
          () -> modify(table, Map.of(TRACKER, "MIGRATION", SOURCE, "FILE", TARGET, "DEFAULT")),
          "Should use src tracker DEFAULT first but got FILE when migrating from DEFAULT" + where);
      modify(table, Map.of(TRACKER, "MIGRATION", SOURCE, "DEFAULT", TARGET, "FILE"));
      refused(
          () -> modify(table, Map.of(TRACKER, "DEFAULT")),
          "Should migrate tracker to FILE but got DEFAULT" + where);
      refused(
          () -> modify(table, Map.of(SOURCE, "FILE", TARGET, "DEFAULT")),
          "The src tracker has been changed from DEFAULT to FILE" + where);
      modify(table, Map.of(TRACKER, "FILE"));
      refused(
          () ->
              table
                  .admin()
                  .addColumnFamily(
                      table.name(),
                      ColumnFamilyDescriptorBuilder.newBuilder(toBytes("h"))
                          .setConfiguration(TRACKER, "MIGRATION")
                          .setConfiguration(SOURCE, "FILE")
                          .setConfiguration(TARGET, "DEFAULT")
                          .build()),
          "Should not use MIGRATION as store file tracker for new family h of table "
              + table.name());
    }
  }

  @Test
  void aDescriptorThatNamesNoTrackerKeepsThePresentOne() throws Exception {
    try (TestTable table = SERVER.create("tracked", "f", "g")) {
      fill(table, 1);
      table.admin().modifyTableStoreFileTrackerAsync(table.name(), "FILE").get();
      List<String> before = table.scan(new Scan());
      table
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(table.name())
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
                  .build());
      assertThat(tracker(table)).isEqualTo("FILE");
      assertThat(table.scan(new Scan())).isEqualTo(before);
    }
  }

  @Test
  void aTrackerCannotBeChangedWhereThereIsNothingToChange() throws Exception {
    try (TestTable table = SERVER.create("tracked", "f")) {
      Admin admin = table.admin();
      refused(
          () -> admin.modifyTableStoreFileTrackerAsync(table.name(), "MIGRATION").get(),
          "Do not need to transfer to MIGRATION");
      assertThatThrownBy(
              () -> admin.modifyTableStoreFileTrackerAsync(SERVER.newName("none"), "FILE").get())
          .isInstanceOf(TableNotFoundException.class);
      assertThatThrownBy(
              () ->
                  admin
                      .modifyColumnFamilyStoreFileTrackerAsync(
                          table.name(), toBytes("none"), "FILE")
                      .get())
          .hasStackTraceContaining(NoSuchColumnFamilyException.class.getSimpleName())
          .hasMessageContaining("none does not exist for table " + table.name());
      admin.disableTable(table.name());
      assertThatThrownBy(() -> admin.modifyTableStoreFileTrackerAsync(table.name(), "FILE").get())
          .isInstanceOf(TableNotEnabledException.class);
    }
  }

  @Test
  void theProcedureFailsInHBasesWordsIfATrackerIsUnknown() throws Exception {
    try (TestTable table = SERVER.create("tracked", "f")) {
      Admin admin = table.admin();
      TableName other = SERVER.newName("untracked");
      String snapshot = other.getNameAsString() + "_snapshot";
      admin.snapshot(snapshot, table.name());
      unknown(() -> admin.cloneSnapshot(snapshot, other, false, "Unknown"));
      TableDescriptorBuilder created =
          TableDescriptorBuilder.newBuilder(other)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(toBytes("f"))
                      .setConfiguration(TRACKER, "Unknown")
                      .build());
      unknown(() -> admin.createTable(created.build()));
      assertThat(admin.tableExists(other)).isFalse();
      unknown(() -> modify(table, Map.of(TRACKER, "Unknown")));
      assertThat(tracker(table)).isEqualTo("DEFAULT");

      admin.cloneSnapshot(snapshot, other, false, "FILE"); // The failed requests have left nothing.
      admin.disableTable(other);
      admin.deleteTable(other);
      admin.deleteSnapshot(snapshot);
    }
  }

  private static void unknown(ThrowingCallable change) {
    assertThatThrownBy(change)
        .isExactlyInstanceOf(IOException.class)
        .hasMessage(
            "java.lang.RuntimeException: java.lang.RuntimeException:"
                + " java.lang.ClassNotFoundException: Class Unknown not found");
  }

  private static void fill(TestTable table, int round) throws Exception {
    for (int i = 0; i < 10; i++) {
      table.put("r%d-%02d".formatted(round, i), "f:q", "f" + i);
      table.put("r%d-%02d".formatted(round, i), "g:q", "g" + i);
    }
    table.flush();
  }

  private static byte[] region(TestTable table, int index) throws IOException {
    return table.admin().getRegions(table.name()).get(index).getRegionName();
  }

  private static TableDescriptor descriptor(TestTable table) throws IOException {
    return table.admin().getDescriptor(table.name());
  }

  private static String tracker(TestTable table) throws IOException {
    return descriptor(table).getValue(TRACKER);
  }

  private static void modify(TestTable table, Map<String, String> values) throws IOException {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(descriptor(table));
    values.forEach(builder::setValue);
    table.admin().modifyTable(builder.build());
  }

  private static void refused(ThrowingCallable change, String message) {
    assertThatThrownBy(change)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(message);
  }
}
