package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.interop.tools.CairnTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands name a lost or damaged file of a backup, and restore everything that does not need it.
 */
class BackupDamageTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final TableName OTHER = TableName.valueOf("u");

  @TempDir Path folder;

  private BackupSite site() throws IOException {
    BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"));
    site.createTable(TABLE);
    site.createTable(OTHER);
    return site;
  }

  private static void put(BackupSite site, String value) throws IOException {
    for (TableName name : List.of(TABLE, OTHER)) {
      try (Table table = site.connection().getTable(name)) {
        table.put(
            new Put(Bytes.toBytes("row"))
                .addColumn(BackupSite.F, Bytes.toBytes(value), Bytes.toBytes(value)));
      }
    }
  }

  private List<Path> files(String id, String pattern) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("backups").resolve(id))) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().matches(pattern))
          .toList();
    }
  }

  private static void flip(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
  }

  private static void assertRestored(BackupSite site, TableName source, String name)
      throws IOException {
    site.succeed("restore", source, "--as=" + name);
    assertThat(site.visible(TableName.valueOf(name))).isEqualTo(site.visible(source));
  }

  private void deleteBackup(String id) throws IOException {
    try (LocalStorage backups = new LocalStorage(folder.resolve("backups"))) {
      backups.delete(id);
    }
  }

  @Test
  void aLostFileOfOneTableBlocksNoOtherTable() throws Exception {
    try (BackupSite site = site()) {
      put(site, "one");
      String full = site.backUp(TABLE, OTHER);
      put(site, "two");
      site.backUp(TABLE, OTHER);
      Files.delete(files(full, ".*/archive/data/default/u/.*").get(0));

      CairnTool verify = site.backup("verify");
      assertThat(verify.status()).isEqualTo(1);
      assertThat(verify.out())
          .contains(" is missing")
          .contains("table u: cannot be restored")
          .doesNotContain("table t: cannot be restored");
      assertRestored(site, TABLE, "x");
      CairnTool refused = site.backup("restore", OTHER, "--as=y");
      assertThat(refused.err()).contains("nothing was restored: " + full).contains(" is missing");
    }
  }

  @Test
  void aDamagedListOfFilesOfOneTableBlocksNoOtherTable() throws Exception {
    try (BackupSite site = site()) {
      put(site, "one");
      String full = site.backUp(TABLE, OTHER);
      flip(files(full, ".*-2/data.manifest").get(0));

      assertThat(site.backup("verify").out())
          .contains("data.manifest is damaged")
          .contains("table u: cannot be restored")
          .doesNotContain("table t: cannot be restored");
      assertRestored(site, TABLE, "x");
      assertThat(site.backup("restore", OTHER, "--as=y").err())
          .contains("data.manifest is damaged");
    }
  }

  @Test
  void damagedChangesBeforeAFullBackupCostOnlyTheMomentsBefore() throws Exception {
    try (BackupSite site = site()) {
      put(site, "one");
      site.backUp(TABLE, OTHER);
      put(site, "two");
      String full = site.backUp(TABLE, OTHER, "--full");
      put(site, "three");
      site.backUp(TABLE, OTHER);
      flip(files(full, ".*/before/log.1").get(0));

      assertThat(site.backup("verify").out()).contains(full + "/before/log.1 is damaged");
      assertRestored(site, TABLE, "x");
    }
  }

  @Test
  void aLostBackupIsNamedWithTheMomentsThatAreLeft() throws Exception {
    try (BackupSite site = site()) {
      put(site, "one");
      String full = site.backUp(TABLE, OTHER);
      List<String> then = site.visible(TABLE);
      put(site, "two");
      String lost = site.backUp(TABLE, OTHER);
      put(site, "three");
      String last = site.backUp(TABLE, OTHER);
      deleteBackup(lost);

      for (String command : List.of("verify", "list")) {
        CairnTool run = site.backup(command);
        assertThat(run.status()).as(run.toString()).isEqualTo(1);
        assertThat(run.out()).contains("LOST     " + lost + ", which " + last + " continues");
      }
      assertThat(site.backup("verify", last).status()).isEqualTo(1);
      assertThat(site.succeed("verify", full).out()).doesNotContain("LOST");
      assertThat(site.backup("restore", TABLE, "--as=x").err())
          .contains("cannot be restored to the end of the newest backup, " + last)
          .contains("It can be restored to ");
      site.succeed("restore", full, "-t", TABLE, "-m", "then");
      assertThat(site.visible(TableName.valueOf("then"))).isEqualTo(then);
      assertThat(site.succeed("create", TABLE, OTHER).err())
          .contains("a backup that " + last + " continues is lost", "this backup is a full one");
      assertRestored(site, TABLE, "x");
    }
  }

  @Test
  void aDeletedBackupIsNotLost() throws Exception {
    try (BackupSite site = site()) {
      put(site, "one");
      String first = site.backUp(TABLE, OTHER);
      put(site, "two");
      String second = site.backUp(TABLE, OTHER, "--full");
      site.succeed("delete", first);
      assertThat(site.succeed("verify").out()).contains("OK       " + second);
      put(site, "three");
      site.backUp(TABLE, OTHER);
      assertRestored(site, TABLE, "x");
    }
  }

  @Test
  void aRestoreCopiesNoFileOfAnotherTable() throws Exception {
    try (BackupSite site = site()) {
      put(site, "one");
      site.backUp(TABLE, OTHER);
    }
    Set<String> tables = new TreeSet<>();
    try (BackupSite site = new BackupSite(folder, "other", folder.resolve("backups"));
        Admin admin = site.connection().getAdmin()) {
      admin.cleanerChoreSwitch(false);
      site.succeed("restore", TABLE);
      try (Stream<Path> directories = Files.list(folder.resolve("other/archive/data/default"))) {
        directories.forEach(table -> tables.add(table.getFileName().toString()));
      }
    }
    assertThat(tables).contains("t").doesNotContain("u");
  }
}
