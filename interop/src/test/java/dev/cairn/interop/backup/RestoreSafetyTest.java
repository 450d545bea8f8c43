package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A restore changes only its own table and snapshots, and does not conflict with other restores and
 * backups.
 */
class RestoreSafetyTest {
  private static final TableName TABLE = TableName.valueOf("t");

  @TempDir Path folder;

  private static void put(BackupSite site, TableName name, String value) throws IOException {
    try (Table table = site.connection().getTable(name)) {
      table.put(
          new Put(Bytes.toBytes("row"))
              .addColumn(BackupSite.F, Bytes.toBytes("q"), Bytes.toBytes(value)));
    }
  }

  @Test
  void aUsersTableWithANameLikeAWorkingTableStays() throws Exception {
    TableName users = TableName.valueOf("x-restoring");
    try (BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"))) {
      site.createTable(TABLE);
      site.createTable(users);
      put(site, TABLE, "v");
      put(site, users, "precious");
      site.backUp(TABLE);
      site.succeed("restore", TABLE, "--as=x");
      assertThat(site.visible(users).toString()).contains("precious");
      assertThat(site.visible(TableName.valueOf("x"))).isEqualTo(site.visible(TABLE));
    }
  }

  @Test
  void aBackupOutlivesTheTimeToLiveOfSnapshots() throws Exception {
    try (BackupSite site =
        new BackupSite(
            CairnServer.builder()
                .folder(folder.resolve("data"))
                .setting("hbase.master.snapshot.ttl", "1")
                .setting("hbase.master.cleaner.snapshot.interval", "1000"),
            folder.resolve("data").toString(),
            folder.resolve("backups").toString())) {
      site.createTable(TABLE);
      put(site, TABLE, "v");
      site.backUp(TABLE);
      try (Admin admin = site.connection().getAdmin()) {
        admin.snapshot("expires", TABLE);
        Eventually.holds(
            () ->
                admin.listSnapshots().stream()
                    .map(SnapshotDescription::getName)
                    .noneMatch("expires"::equals),
            "the snapshot expires");
      }
      site.succeed("restore", TABLE, "--as=x");
      assertThat(site.visible(TableName.valueOf("x"))).isEqualTo(site.visible(TABLE));
    }
  }

  @Test
  void restoresOfATableUnderTwoNamesAndABackupDoNotConflict() throws Exception {
    try (BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"))) {
      site.createTable(TABLE);
      put(site, TABLE, "v");
      site.backUp(TABLE);
      for (int round = 0; round < 3; round++) {
        String first = "x" + round;
        String second = "y" + round;
        List<CompletableFuture<Void>> running =
            List.of(
                CompletableFuture.runAsync(() -> site.succeed("restore", TABLE, "--as=" + first)),
                CompletableFuture.runAsync(() -> site.succeed("restore", TABLE, "--as=" + second)),
                CompletableFuture.runAsync(() -> site.succeed("create", TABLE, "--full")));
        CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
        for (String name : List.of(first, second)) {
          assertThat(site.visible(TableName.valueOf(name))).isEqualTo(site.visible(TABLE));
        }
      }
      try (Admin admin = site.connection().getAdmin()) {
        assertThat(admin.listSnapshots()).isEmpty();
      }
      try (LocalStorage root = new LocalStorage(Path.of(site.root))) {
        assertThat(root.list("cairn.restores")).isEmpty();
      }
    }
  }
}
