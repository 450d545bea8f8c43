package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import dev.cairn.interop.hadoop.SharedHdfs;
import dev.cairn.interop.tools.CairnTool;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.server.hadoop.HdfsLogSettings;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Bulk loads, MOB, tags and HDFS in {@code cairn backup}. */
class BackupContentTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte TAG = 77;

  @RegisterExtension static final SharedHdfs HDFS = new SharedHdfs();

  @TempDir Path folder;

  private static KeyValue cell(String row, long timestamp, String value, Tag... tags) {
    return new KeyValue(
        Bytes.toBytes(row),
        BackupSite.F,
        Q,
        timestamp,
        KeyValue.Type.Put,
        Bytes.toBytes(value),
        List.of(tags));
  }

  private static Tag tag(String value) {
    return new ArrayBackedTag(TAG, Bytes.toBytes(value));
  }

  private void load(BackupSite site, String name, Cell... cells) throws IOException {
    site.load(TABLE, folder.resolve(name), cells);
  }

  private static void put(BackupSite site, Cell... cells) throws IOException {
    Configuration settings = site.server().configuration();
    settings.set("hbase.client.rpc.codec", KeyValueCodecWithTags.class.getName());
    try (Connection connection = ConnectionFactory.createConnection(settings);
        Table table = connection.getTable(TABLE)) {
      for (Cell cell : cells) {
        Put put = new Put(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength()).add(cell);
        table.put(List.of(put)); // The message of a single put has no tags.
      }
    }
  }

  private static List<String> tags(BackupSite site, String table) throws IOException {
    Configuration settings = site.server().configuration();
    settings.set("hbase.client.rpc.codec", KeyValueCodecWithTags.class.getName());
    List<String> found = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(settings);
        Table open = connection.getTable(TableName.valueOf(table));
        ResultScanner scanner = open.getScanner(new Scan())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          String tags =
              org.apache.hadoop.hbase.PrivateCellUtil.getTags((ExtendedCell) cell).stream()
                  .map(tag -> tag.getType() + ":" + Bytes.toString(Tag.cloneValue(tag)))
                  .toList()
                  .toString();
          found.add(Bytes.toString(row.getRow()) + tags);
        }
      }
    }
    return found;
  }

  private static long waitForNextMillisecond() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      Thread.onSpinWait();
    }
    return now;
  }

  /** Logs do not record what compactions drop. {@code docs/operations/backup.md} documents this. */
  @Test
  void aMarkerThatACompactionHasDroppedHidesOlderCellsInTheRestoredTable() throws Exception {
    try (BackupSite site = new BackupSite(folder, "one", folder.resolve("backups"))) {
      site.createTable(TABLE, "m");
      site.backUp(TABLE);
      try (Table table = site.connection().getTable(TABLE);
          Admin admin = site.connection().getAdmin()) {
        table.delete(new Delete(Bytes.toBytes("a"), 10));
        admin.flush(TABLE);
        admin.majorCompact(TABLE);
      }
      Eventually.holds(() -> site.all(TABLE).isEmpty(), "the marker is dropped");
      load(site, "older", cell("a", 5, "loaded"), cell("b", 5, "loaded"));
      assertThat(site.visible(TABLE)).hasSize(2);
      site.backUp(TABLE);

      site.succeed("restore", TABLE, "--as=restored");
      assertThat(site.visible(TableName.valueOf("restored")))
          .singleElement()
          .asString()
          .startsWith("b/");
    }
  }

  @Test
  void aRestoreHasTheConstraintsAndIndexesOfTheTableAndChangesThatBreakConstraints()
      throws Exception {
    try (BackupSite site = new BackupSite(folder, "one", folder.resolve("backups"))) {
      site.createTable(TABLE);
      constrain(site, "length ..3");
      put(site, cell("a", 5, "abc"));
      set(site, "cairn.index.by_q", "f:q");
      site.backUp(TABLE);
      constrain(site, "length ..6");
      put(site, cell("b", 5, "abcdef"));
      List<String> before = site.visible(TABLE);
      site.backUp(TABLE);

      TableName restored = TableName.valueOf("restored");
      site.succeed("restore", TABLE, "--as=restored");
      assertThat(site.visible(restored)).isEqualTo(before).hasSize(2);
      try (Admin admin = site.connection().getAdmin()) {
        assertThat(admin.getDescriptor(restored).getValue("cairn.constraint.f:q"))
            .isEqualTo("length ..3");
        assertThat(admin.getDescriptor(restored).getValue("cairn.index.by_q")).isEqualTo("f:q");
      }
    }
  }

  private static void constrain(BackupSite site, String rules) throws IOException {
    set(site, "cairn.constraint.f:q", rules);
  }

  private static void set(BackupSite site, String attribute, String value) throws IOException {
    try (Admin admin = site.connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(TABLE))
              .setValue(attribute, value)
              .build());
    }
  }

  @Test
  void bulkLoadsAreRestoredAtTheirPlaceAmongTheChanges() throws Exception {
    try (BackupSite site = new BackupSite(folder, "one", folder.resolve("backups"))) {
      site.createTable(TABLE, "m");
      site.backUp(TABLE);
      put(site, cell("a", 5, "before"), cell("n", 5, "before"), cell("z", 5, "before"));
      List<String> before = site.visible(TABLE);
      long beforeLoad = waitForNextMillisecond();
      load(
          site,
          "first",
          cell("a", 5, "loaded"),
          cell("b", 5, "loaded"),
          cell("n", 5, "loaded"),
          cell("o", 5, "loaded"));
      List<String> loaded = site.visible(TABLE);
      long afterLoad = waitForNextMillisecond();
      put(site, cell("b", 5, "after"));
      try (Table table = site.connection().getTable(TABLE);
          Admin admin = site.connection().getAdmin()) {
        table.delete(new Delete(Bytes.toBytes("o")).addColumn(BackupSite.F, Q, 5));
        // The loaded files are replaced, and the cleaner runs all the time.
        admin.flush(TABLE);
        admin.majorCompact(TABLE);
      }
      awaitArchived(site, "_SeqId_");
      assertThat(site.succeed("create", TABLE).err()).isEmpty();
      load(site, "second", cell("c", 5, "loaded"));
      put(site, cell("d", 5, "last"));
      site.backUp(TABLE);
      List<String> now = site.visible(TABLE);
      assertThat(now.toString()).contains("a/f:q/5", "=loaded", "=after", "=last");

      List<String> ids =
          site.succeed("list")
              .out()
              .lines()
              .filter(line -> line.contains("\tchanges\t"))
              .map(line -> line.substring(0, line.indexOf('\t')))
              .toList();
      for (String round : List.of("separate", "merged")) {
        site.succeed("restore", TABLE, "--as=now-" + round);
        assertThat(site.visible(TableName.valueOf("now-" + round))).isEqualTo(now);
        site.succeed("restore", TABLE, "--as=before-" + round, "--to=" + beforeLoad);
        assertThat(site.visible(TableName.valueOf("before-" + round))).isEqualTo(before);
        site.succeed("restore", TABLE, "--as=loaded-" + round, "--to=" + afterLoad);
        assertThat(site.visible(TableName.valueOf("loaded-" + round))).isEqualTo(loaded);
        if (round.equals("separate")) {
          site.succeed("merge", ids.get(0), ids.get(1));
          assertThat(site.succeed("verify").out()).doesNotContain("DAMAGED");
        }
      }

      try (Stream<Path> files = Files.walk(folder.resolve("backups"))) {
        Files.delete(
            files
                .filter(file -> file.toString().matches(".*/loads/data/default/t/.*_SeqId_.*"))
                .findFirst()
                .orElseThrow());
      }
      assertThat(site.backup("restore", TABLE, "--as=x").err())
          .contains("nothing was restored: ")
          .contains("/loads/data/default/t/")
          .contains(" is missing");
      site.succeed("restore", TABLE, "--as=x", "--to=" + spanStart(site));
    }
  }

  /** Waits until the archive has files, and the cleaner has looked at them. */
  private static void awaitArchived(BackupSite site, String part) throws Exception {
    Path archive = Path.of(site.root, "archive/data/default/t");
    Eventually.holds(
        () -> {
          try (Stream<Path> files = Files.exists(archive) ? Files.walk(archive) : Stream.empty()) {
            return files.anyMatch(file -> file.getFileName().toString().contains(part));
          }
        },
        "the archive has files");
    try (Admin admin = site.connection().getAdmin()) {
      for (int look = 0; look < 3; look++) {
        admin.runCleanerChore();
      }
    }
  }

  private static long spanStart(BackupSite site) {
    String line =
        site.succeed("list")
            .out()
            .lines()
            .filter(text -> text.startsWith("table t: "))
            .findFirst()
            .orElseThrow();
    return java.time.Instant.parse(line.replaceFirst("table t: ([^ ]+) .*", "$1")).toEpochMilli();
  }

  @Test
  void tagsOfCellsAndLargeValuesInMobFilesAreRestored() throws Exception {
    try (BackupSite site = new BackupSite(folder, "one", folder.resolve("backups"))) {
      try (Admin admin = site.connection().getAdmin()) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(BackupSite.F)
                        .setMobEnabled(true)
                        .setMobThreshold(100)
                        .setMaxVersions(3)
                        .build())
                .build());
        put(site, cell("a", 1, "x".repeat(1_000), tag("one")), cell("b", 1, "small", tag("two")));
        admin.flush(TABLE);
        site.backUp(TABLE);
        put(site, cell("a", 2, "y".repeat(2_000), tag("three")), cell("c", 1, "z".repeat(500)));
        admin.flush(TABLE);
        put(site, cell("d", 1, "w".repeat(700), tag("four")));
        load(site, "files", cell("e", 1, "v".repeat(900), tag("five")));
        site.backUp(TABLE);
      }
      site.succeed("restore", TABLE, "--as=restored");
      assertThat(site.visible(TableName.valueOf("restored"))).isEqualTo(site.visible(TABLE));
      assertThat(tags(site, "restored"))
          .isEqualTo(tags(site, "t"))
          .contains("a[77:three]", "b[77:two]", "d[77:four]", "e[77:five]");
    }
  }

  @Test
  void backupsOfAClusterOnHdfsAreOnHdfs() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    Configuration settings = HDFS.hdfs().settings();
    try {
      URI root = URI.create(HDFS.home() + "/hbase");
      try (HadoopStorage storage =
              new HadoopStorage(
                  FileSystem.newInstance(root, settings),
                  new org.apache.hadoop.fs.Path(root),
                  HdfsLogSettings.DEFAULTS,
                  Clock.SYSTEM,
                  threads);
          BackupSite site =
              new BackupSite(
                  CairnServer.builder().storage(storage),
                  root.toString(),
                  HDFS.home() + "/backups")) {
        site.createTable(TABLE, "m");
        put(site, cell("a", 1, "one"), cell("n", 1, "one"));
        String full = site.backUp(TABLE);
        put(site, cell("a", 2, "two"));
        List<String> then = site.visible(TABLE);
        long moment = waitForNextMillisecond();
        put(site, cell("n", 2, "three"));
        String changes = site.backUp(TABLE);
        List<String> now = site.visible(TABLE);
        assertThat(site.succeed("verify").out()).contains("OK       " + full, changes);
        site.succeed("restore", TABLE, "--as=now");
        assertThat(site.visible(TableName.valueOf("now"))).isEqualTo(now);
        site.succeed("restore", TABLE, "--as=then", "--to=" + moment);
        assertThat(site.visible(TableName.valueOf("then"))).isEqualTo(then);
        assertThat(site.succeed("delete", changes).out()).contains("Deleted " + changes);
        CairnTool run = site.backup("restore", TABLE, "--as=x", "--to=" + moment);
        assertThat(run.err()).contains("cannot be restored");
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
