package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.tools.CairnTool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events that the logs do not record: a family is added or removed, or a region is truncated. */
class BackupEventsTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] Q = Bytes.toBytes("q");

  @TempDir Path folder;

  private BackupSite site() throws IOException {
    return new BackupSite(folder, "data", folder.resolve("backups"));
  }

  private static void put(BackupSite site, String row, byte[] family, String value)
      throws IOException {
    try (Table table = site.connection().getTable(TABLE)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(family, Q, Bytes.toBytes(value)));
    }
  }

  private static void assertFullBackupOfTheTableAsItIs(BackupSite site) throws IOException {
    List<String> now = site.visible(TABLE);
    CairnTool made = site.succeed("create", TABLE);
    assertThat(made.out()).startsWith("Full backup ");
    assertThat(made.err()).contains("moments between the two cannot be restored");
    site.succeed("restore", TABLE, "--as=restored");
    assertThat(site.visible(TableName.valueOf("restored"))).isEqualTo(now);
  }

  @Test
  void cellsOfAFamilyThatWasAddedBetweenTwoBackupsAreRestored() throws Exception {
    byte[] added = Bytes.toBytes("added");
    try (BackupSite site = site();
        Admin admin = site.connection().getAdmin()) {
      site.createTable(TABLE, "m");
      put(site, "a", BackupSite.F, "before");
      site.backUp(TABLE);
      admin.addColumnFamily(
          TABLE, ColumnFamilyDescriptorBuilder.newBuilder(added).setMaxVersions(7).build());
      put(site, "a", added, "first");
      List<String> then = site.visible(TABLE);
      long moment = BackupSite.nextMillis() - 1;
      put(site, "z", added, "second");
      assertThat(site.succeed("create", TABLE).out()).startsWith("Backup ");
      site.succeed("restore", TABLE, "--as=now");
      assertThat(site.visible(TableName.valueOf("now"))).isEqualTo(site.visible(TABLE));
      site.succeed("restore", TABLE, "--as=then", "--to=" + moment);
      assertThat(site.visible(TableName.valueOf("then"))).isEqualTo(then);
      assertThat(
              admin.getDescriptor(TableName.valueOf("now")).getColumnFamily(added).getMaxVersions())
          .isEqualTo(7);
    }
  }

  @Test
  void afterARemovalOfAFamilyTheNextBackupIsFull() throws Exception {
    try (BackupSite site = site();
        Admin admin = site.connection().getAdmin()) {
      site.createTable(TABLE, "m");
      put(site, "a", BackupSite.F, "stays");
      put(site, "a", BackupSite.G, "goes");
      site.backUp(TABLE);
      var family = admin.getDescriptor(TABLE).getColumnFamily(BackupSite.G);
      admin.deleteColumnFamily(TABLE, BackupSite.G);
      admin.addColumnFamily(TABLE, family);
      put(site, "b", BackupSite.G, "new");
      assertFullBackupOfTheTableAsItIs(site);
    }
  }

  @Test
  void afterATruncationOfARegionTheNextBackupIsFull() throws Exception {
    try (BackupSite site = site();
        Admin admin = site.connection().getAdmin()) {
      site.createTable(TABLE, "m");
      put(site, "a", BackupSite.F, "stays");
      put(site, "z", BackupSite.F, "goes");
      site.backUp(TABLE);
      for (RegionInfo region : admin.getRegions(TABLE)) {
        if (region.containsRow(Bytes.toBytes("z"))) {
          admin.truncateRegion(region.getRegionName());
        }
      }
      put(site, "y", BackupSite.F, "new");
      assertFullBackupOfTheTableAsItIs(site);
    }
  }

  @Test
  void afterARestorationOfASnapshotTheNextBackupIsFull() throws Exception {
    try (BackupSite site = site();
        Admin admin = site.connection().getAdmin()) {
      site.createTable(TABLE, "m");
      put(site, "a", BackupSite.F, "stays");
      admin.snapshot("s", TABLE);
      put(site, "b", BackupSite.F, "goes");
      site.backUp(TABLE);
      admin.disableTable(TABLE);
      admin.restoreSnapshot("s");
      admin.enableTable(TABLE);
      assertFullBackupOfTheTableAsItIs(site);
    }
  }
}
