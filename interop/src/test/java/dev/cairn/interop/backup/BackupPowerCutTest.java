package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.process.ForgetfulDisk;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that were reported as made survive a power cut of their disk. */
@Tag("long")
class BackupPowerCutTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int DISK_MEGABYTES = 300;

  @TempDir private Path folder;

  @Test
  void backupsMergesAndDeletionsStay() throws IOException {
    try (ForgetfulDisk disk = ForgetfulDisk.make(folder, DISK_MEGABYTES);
        BackupSite site = new BackupSite(folder, "data", disk.path().resolve("backups"))) {
      site.createTable(TABLE);
      put(site, "one");
      site.backUp(TABLE);
      cutAndVerify(disk, site);
      put(site, "two");
      String second = site.backUp(TABLE);
      cutAndVerify(disk, site);
      put(site, "three");
      String third = site.backUp(TABLE);
      site.succeed("merge", second, third);
      cutAndVerify(disk, site);
      put(site, "four");
      String full = site.backUp(TABLE, "--full");
      site.succeed("delete", full);
      cutAndVerify(disk, site);
      assertThat(site.succeed("list").out()).doesNotContain(full);
      put(site, "five");
      site.backUp(TABLE);
      cutAndVerify(disk, site);
      site.succeed("restore", TABLE, "--as=x");
      assertThat(site.visible(TableName.valueOf("x"))).isEqualTo(site.visible(TABLE)).hasSize(5);
    }
  }

  private static void put(BackupSite site, String row) throws IOException {
    try (Table table = site.connection().getTable(TABLE)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(BackupSite.F, BackupSite.F, BackupSite.F));
    }
  }

  private static void cutAndVerify(ForgetfulDisk disk, BackupSite site) throws IOException {
    disk.cut();
    disk.restore();
    assertThat(site.succeed("verify").out()).doesNotContain("DAMAGED", "LOST");
  }
}
