package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.interop.tools.CairnTool;
import dev.cairn.launcher.backup.FolderLease;
import dev.cairn.launcher.backup.FolderOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cairn backup} from the first backup to a table in another cluster. */
class BackupCommandTest {
  private static final TableName TABLE = TableName.valueOf("t");

  @TempDir Path folder;

  private void fill(BackupSite site, TableName name, long seed) throws IOException {
    Random random = new Random(seed);
    try (Table table = site.connection().getTable(name)) {
      for (int i = 0; i < 60; i++) {
        byte[] row = Bytes.toBytes("row" + random.nextInt(20));
        byte[] column = {(byte) ('a' + random.nextInt(2))};
        long timestamp = 1 + random.nextInt(8);
        switch (random.nextInt(6)) {
          case 0 -> table.delete(new Delete(row).addFamily(BackupSite.F, timestamp));
          case 1 -> table.delete(new Delete(row).addColumns(BackupSite.G, column, timestamp));
          case 2 -> table.delete(new Delete(row).addColumn(BackupSite.F, column, timestamp));
          case 3 -> table.delete(new Delete(row).addFamilyVersion(BackupSite.G, timestamp));
          default ->
              table.put(
                  new Put(row)
                      .addColumn(
                          random.nextBoolean() ? BackupSite.F : BackupSite.G,
                          column,
                          timestamp,
                          Bytes.toBytes("v" + random.nextInt())));
        }
      }
    }
  }

  private Path anyFile(Path directory, String part) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().contains(part))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void backupsAreRestoredInAnotherClusterWithMarkersAndDamageIsNamed() throws Exception {
    Path backups = folder.resolve("backups");
    List<String> atFull;
    List<String> atEnd;
    String full;
    String second;
    String third;
    TableName other = TableName.valueOf("u");
    try (BackupSite site = new BackupSite(folder, "one", backups)) {
      site.createTable(TABLE, "row15");
      site.createTable(other);
      fill(site, TABLE, 1);
      fill(site, other, 2);
      atFull = site.all(TABLE);
      full = site.backUp(TABLE, other);
      fill(site, TABLE, 3);
      second = site.backUp(TABLE, other);
      fill(site, TABLE, 4);
      third = site.backUp(TABLE, other);
      atEnd = site.all(TABLE);
      assertThat(site.succeed("list").out())
          .contains(full + "\tfull\t")
          .contains(second + "\tchanges\t")
          .contains("table t: ");
      assertThat(site.succeed("describe", third).out()).contains("continues " + second);
      try (Admin admin = site.connection().getAdmin()) {
        assertThat(admin.listSnapshots()).isEmpty();
      }
      assertThat(site.backup("restore", TABLE).err()).contains("table t exists");
      site.succeed("restore", TABLE, "--replace");
      assertThat(site.all(TABLE)).isEqualTo(atEnd);
    }
    try (BackupSite site = new BackupSite(folder, "two", backups)) {
      site.succeed("restore", TABLE);
      assertThat(site.all(TABLE)).isEqualTo(atEnd);
      site.succeed("restore", TABLE, "--as=ancient", "--to=" + whole(site, full));
      assertThat(site.all(TableName.valueOf("ancient"))).isEqualTo(atFull);
      try (Admin admin = site.connection().getAdmin()) {
        assertThat(admin.listSnapshots()).isEmpty();
        assertThat(admin.listTableNames()).hasSize(2);
      }
      assertThat(site.backup("restore", TABLE, "--as=x", "--to=1000").err())
          .contains("cannot be restored to 1970-01-01T00:00:01Z. It can be restored to ");

      Path log = anyFile(backups.resolve(second), "log.1");
      byte[] bytes = Files.readAllBytes(log);
      bytes[bytes.length / 2] ^= 1;
      Files.write(log, bytes);
      CairnTool verify = site.backup("verify");
      assertThat(verify.status()).isEqualTo(1);
      assertThat(verify.out())
          .contains("DAMAGED  " + second + "/before/log.1 is damaged")
          .contains("OK       " + full)
          .contains("table t: ");
      assertThat(site.backup("restore", TABLE, "--as=x").err())
          .contains("nothing was restored: " + second + "/before/log.1 is damaged");
      site.succeed("restore", TABLE, "--as=older", "--to=" + whole(site, full));
      assertThat(site.all(TableName.valueOf("older"))).isEqualTo(atFull);

      Path hfile = anyFile(backups.resolve(full), "/archive/data/default/u/");
      Files.delete(hfile);
      assertThat(site.backup("restore", TABLE, "--as=y", "--to=" + whole(site, full)).err())
          .contains("nothing was restored: " + full)
          .contains(" is missing");
      assertThat(site.backup("verify").out())
          .contains(" is missing")
          .contains("table t: cannot be restored");

      assertThat(site.backup("delete", second).err()).contains("is needed by " + third);
      assertThat(site.succeed("delete", second, "--with-dependents").out())
          .contains("Deleted " + third)
          .contains("Deleted " + second);
      assertThat(site.backup("delete", second).err()).contains("has no backup " + second);
    }
  }

  private long whole(BackupSite site, String id) {
    String line =
        site.succeed("describe", id)
            .out()
            .lines()
            .filter(text -> text.startsWith("snapshots "))
            .findFirst()
            .orElseThrow();
    return Instant.parse(line.substring("snapshots ".length())).toEpochMilli();
  }

  @Test
  void aTableIsRestoredToJustBeforeAChange() throws Exception {
    try (BackupSite site = new BackupSite(folder, "one", folder.resolve("backups"))) {
      site.createTable(TABLE);
      site.backUp(TABLE);
      fill(site, TABLE, 1);
      List<String> good = site.visible(TABLE);
      try (Table table = site.connection().getTable(TABLE)) {
        table.delete(new Delete(Bytes.toBytes("row1")));
      }
      fill(site, TABLE, 2);
      site.backUp(TABLE);
      List<String> lines = new ArrayList<>();
      CairnTool.run("changes", "--root=" + site.root, "t", "--format=cells")
          .out()
          .lines()
          .filter(line -> line.matches(".*\trow1\tDeleteFamily\tf:\t[0-9]{13}\t"))
          .forEach(lines::add);
      String[] fields = lines.get(lines.size() - 1).split("\t");
      site.succeed("restore", TABLE, "--before=" + fields[2] + ":" + fields[3], "--as=good");
      assertThat(site.visible(TableName.valueOf("good"))).isEqualTo(good);
    }
  }

  @Test
  void mergedBackupsRestoreTheSameMoments() throws Exception {
    try (BackupSite site = new BackupSite(folder, "one", folder.resolve("backups"))) {
      site.createTable(TABLE);
      String full = site.backUp(TABLE);
      fill(site, TABLE, 1);
      String first = site.backUp(TABLE);
      List<String> then = site.visible(TABLE);
      long moment = System.currentTimeMillis();
      fill(site, TABLE, 2);
      String second = site.backUp(TABLE);
      fill(site, TABLE, 3);
      String third = site.backUp(TABLE);
      List<String> now = site.visible(TABLE);

      assertThat(site.backup("merge", full, second).err()).contains(full + " is full");
      assertThat(site.backup("merge", second, first).err())
          .contains(first + " does not continue " + second);
      site.succeed("merge", first, second);
      assertThat(site.succeed("list").out())
          .contains(second + "m\t")
          .doesNotContain(first + "\t", second + "\t");
      assertThat(site.succeed("verify").out()).doesNotContain("DAMAGED");
      assertThat(site.backup("delete", second + "m").err()).contains("is needed by " + third);
      site.succeed("restore", TABLE, "--as=x");
      assertThat(site.visible(TableName.valueOf("x"))).isEqualTo(now);
      site.succeed("restore", TABLE, "--as=y", "--to=" + moment);
      assertThat(site.visible(TableName.valueOf("y"))).isEqualTo(then);
    }
  }

  @Test
  void whileOneProcessChangesAFolderOthersAreRefusedUntilItHasEnded() throws Exception {
    Path backups = Files.createDirectories(folder.resolve("backups"));
    try (BackupSite site = new BackupSite(folder, "one", backups)) {
      site.createTable(TABLE);
      String full = site.backUp(TABLE);
      fill(site, TABLE, 1);
      String changes = site.backUp(TABLE);
      FolderOwner self = FolderOwner.current();
      try (LocalStorage storage = new LocalStorage(backups);
          FolderLease lease =
              FolderLease.take(storage, "x", "create", self, owner -> false, Clock.SYSTEM)) {
        for (CairnTool run :
            List.of(
                site.backup("create", TABLE),
                site.backup("merge", full, changes),
                site.backup("delete", changes))) {
          assertThat(run.status()).isEqualTo(1);
          assertThat(run.err())
              .contains("is in use: process " + self.process() + " on ")
              .contains(" runs <backup create>");
        }
        assertThat(site.succeed("verify").out()).contains(full, changes);
        lease.require();
      }
      FolderOwner killed = new FolderOwner(self.host(), Long.MAX_VALUE, 1);
      try (LocalStorage storage = new LocalStorage(backups)) {
        FolderLease.take(storage, "x", "create", killed, owner -> false, Clock.SYSTEM);
      }
      site.succeed("delete", changes);
      assertThat(site.succeed("list").out()).contains(full).doesNotContain(changes);
    }
  }

  @Test
  void aTruncatedTableGetsAFullBackupAndMomentsBetweenAreRefused() throws Exception {
    try (BackupSite site = new BackupSite(folder, "one", folder.resolve("backups"))) {
      site.createTable(TABLE);
      fill(site, TABLE, 1);
      site.backUp(TABLE);
      try (Admin admin = site.connection().getAdmin()) {
        admin.disableTable(TABLE);
        admin.truncateTable(TABLE, true);
      }
      long between = System.currentTimeMillis();
      fill(site, TABLE, 2);
      List<String> now = site.all(TABLE);
      CairnTool made = site.succeed("create", TABLE);
      assertThat(made.out()).startsWith("Full backup ");
      assertThat(made.err()).contains("was truncated, restored or created anew");
      assertThat(site.backup("restore", TABLE, "--as=x", "--to=" + between).err())
          .contains("cannot be restored to ");
      site.succeed("restore", TABLE, "--as=y");
      assertThat(site.all(TableName.valueOf("y"))).isEqualTo(now);
    }
  }
}
