package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.interop.tools.CairnTool;
import dev.cairn.tools.backup.FolderLease;
import dev.cairn.tools.backup.FolderOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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

      Path hfile = anyFile(backups.resolve(full), "/archive/data/default/t/");
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

  /** Runs a command as a user of {@code hbase backup} writes it. */
  private static CairnTool hbase(BackupSite site, String line) {
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    if (words.contains("create") || words.contains("restore")) {
      words.addAll(site.cluster());
    }
    return CairnTool.run(words.toArray(String[]::new));
  }

  @Test
  void theFormsOfHBasesCommandsAreTakenOrAnsweredWithOurs() throws Exception {
    Path backups = folder.resolve("backups");
    TableName other = TableName.valueOf("u");
    try (BackupSite site = new BackupSite(folder, "one", backups)) {
      site.createTable(TABLE);
      site.createTable(other);
      fill(site, TABLE, 1);
      fill(site, other, 2);
      assertThat(hbase(site, "backup create incremental " + backups).err())
          .contains("has no backup yet: make one with full");
      assertThat(hbase(site, "backup create incremental " + backups + " -t t,u").err())
          .contains("has no backup of exactly these tables: [t, u]. Make a full backup");
      CairnTool full = hbase(site, "backup create full " + backups + " -t t,u");
      assertThat(full.out()).startsWith("Full backup ");
      fill(site, TABLE, 3);
      List<String> then = site.visible(TABLE);
      String changes =
          hbase(site, "backup create incremental " + backups)
              .out()
              .replaceFirst("(?s)^Backup ([0-9TZ.]+): .*", "$1");
      fill(site, TABLE, 4);
      site.backUp(TABLE, other);

      assertThat(hbase(site, "backup history -p " + backups + " -n 2 -t u").out().lines())
          .hasSize(2)
          .last()
          .asString()
          .startsWith(changes + "\tchanges\t");
      assertThat(hbase(site, "restore " + backups + " " + changes + " -t t,u -m x,y -c").out())
          .contains("Table t can be restored from the full backup ")
          .contains("and 1 later backup.");
      CairnTool restored = hbase(site, "restore " + backups + " " + changes + " -t t,u -m x,y");
      assertThat(restored.status()).as(restored.toString()).isZero();
      assertThat(site.visible(TableName.valueOf("x"))).isEqualTo(then);
      assertThat(site.visible(TableName.valueOf("y"))).isEqualTo(site.visible(other));
      assertThat(hbase(site, "restore " + backups + " " + changes + " -t t").err())
          .contains("table t exists");
      hbase(site, "backup restore " + backups + " " + changes + " -t t -o");
      assertThat(site.visible(TABLE)).isEqualTo(then);

      Map<String, String> refused = new TreeMap<>();
      refused.put("backup create full", "write bin/cairn backup create full FOLDER -t TABLE,TABLE");
      refused.put("backup create full x -t t -w 3", "-w: the command copies by itself");
      refused.put("backup create full x -s s", "-s: Cairn keeps no backup sets");
      refused.put("backup history", "bin/cairn backup history -p FOLDER");
      refused.put("backup progress backup_1", "bin/cairn backup list FOLDER");
      refused.put("backup set add s t", "bin/cairn backup create FOLDER TABLE...");
      refused.put("backup repair", "run the same command again");
      refused.put("backup describe backup_1", "Usage: cairn backup describe");
      refused.put("backup delete -l backup_1", "Usage: cairn backup delete");
      refused.put("backup merge backup_1,backup_2", "Usage: cairn backup merge");
      refused.put("restore " + backups + " " + changes, "is a backup: name its tables with -t");
      refused.put("restore " + backups + " " + changes + " -t v", "has the tables [t, u], not v");
      refused.put(
          "restore " + backups + " " + changes + " -t t,u -m x", "-m has 1 names for the 2");
      refused.forEach(
          (line, answer) -> {
            CairnTool run = hbase(site, line);
            assertThat(run.status()).as(line).isNotZero();
            assertThat(run.err()).as(line).contains(answer);
          });
      assertThat(site.succeed("create", TABLE).err())
          .contains("the folder has backups of other tables")
          .contains("this backup is a full one");
    }
  }

  @Test
  void aMovedFolderIsCalledMovedAndItsCursorNamesTheOldPlace() throws Exception {
    Path old = folder.resolve("backups");
    Path moved = folder.resolve("moved");
    try (BackupSite site = new BackupSite(folder, "one", old)) {
      site.createTable(TABLE);
      site.backUp(TABLE);
      String[] list = {"changes", "--root=" + site.root, "--cursors"};
      String cursor = CairnTool.run(list).out();
      assertThat(cursor).startsWith("backup-").contains("\tfor the backups in ", old + "\n");

      Files.move(old, moved);
      List<String> words = new ArrayList<>(List.of("backup", "create", moved.toString(), "t"));
      words.addAll(site.cluster());
      CairnTool full = CairnTool.run(words.toArray(String[]::new));
      assertThat(full.status()).as(full.toString()).isZero();
      assertThat(full.out()).startsWith("Full backup ");
      assertThat(full.err())
          .contains("the backups of these tables in ", moved + " were made in ", old + " and moved")
          .contains("--delete-cursor " + cursor.substring(0, cursor.indexOf('\t')))
          .doesNotContain("another cluster");
      assertThat(CairnTool.run(words.toArray(String[]::new)).out()).startsWith("Backup ");
      assertThat(CairnTool.run(list).out().lines())
          .hasSize(2)
          .anyMatch(line -> line.endsWith(old.toString()))
          .anyMatch(line -> line.endsWith(moved.toString()));
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
              FolderLease.take(
                  FolderLease.Place.of(storage, "x"),
                  "create",
                  self,
                  owner -> false,
                  Clock.SYSTEM)) {
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
        FolderLease.take(
            FolderLease.Place.of(storage, "x"), "create", killed, owner -> false, Clock.SYSTEM);
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
