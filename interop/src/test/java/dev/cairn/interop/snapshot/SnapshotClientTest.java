package dev.cairn.interop.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableSnapshotScanner;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.hbase.snapshot.SnapshotInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Apache's clients and tools take, read, restore and clone snapshots. */
class SnapshotClientTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;
  private static int tables;

  @TempDir static Path data;
  @TempDir Path elsewhere;
  private final TableName table = TableName.valueOf("t" + ++tables);
  private final String snapshot = "s" + tables;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .folder(data)
            .setting("hbase.master.hfilecleaner.ttl", "0")
            .setting("hbase.mob.min.age.archive", "0")
            .start();
    connection = server.connect();
    admin = connection.getAdmin();
    admin.createNamespace(NamespaceDescriptor.create("other").build());
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  private void create() throws IOException {
    create(ColumnFamilyDescriptorBuilder.of(F));
  }

  private void create(ColumnFamilyDescriptor family) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table).setColumnFamily(family).build(),
        new byte[][] {row(30), row(60)});
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("r%02d".formatted(number));
  }

  private void put(String value) throws IOException {
    put(value, 0, 100);
  }

  private void put(String value, int from, int to) throws IOException {
    try (Table open = connection.getTable(table)) {
      open.put(
          IntStream.range(from, to)
              .mapToObj(i -> new Put(row(i)).addColumn(F, Q, Bytes.toBytes(value)))
              .toList());
    }
  }

  private static List<String> values(TableName of) throws IOException {
    List<String> found = new ArrayList<>();
    try (Table open = connection.getTable(of);
        ResultScanner scan = open.getScanner(new Scan())) {
      for (Result row : scan) {
        found.add(Bytes.toString(row.getRow()) + "=" + Bytes.toString(row.getValue(F, Q)));
      }
    }
    return found;
  }

  private static List<String> all(String value) {
    return IntStream.range(0, 100).mapToObj(i -> "r%02d=%s".formatted(i, value)).toList();
  }

  private static void drop(TableName name) throws IOException {
    admin.disableTable(name);
    admin.deleteTable(name);
  }

  /** Returns the bytes of all store files, also of archived ones. */
  private static long storedBytes() throws IOException {
    long bytes = 0;
    for (String place : List.of("data", "archive", "mobdir")) {
      if (Files.exists(data.resolve(place))) {
        try (Stream<Path> files = Files.walk(data.resolve(place))) {
          for (Path file : files.filter(path -> path.toString().matches(".*/f/[^.]+")).toList()) {
            bytes += Files.size(file);
          }
        }
      }
    }
    return bytes;
  }

  @Test
  void aSnapshotIsListedAndDeletedAndItsNameIsTakenOnce() throws IOException {
    create();
    put("v");
    admin.snapshot(
        new SnapshotDescription(
            snapshot, table, SnapshotType.FLUSH, null, -1, -1, Map.of("TTL", 5000L)));
    assertThat(admin.listSnapshots(Pattern.compile(snapshot)))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.getTableName()).isEqualTo(table);
              assertThat(found.getType()).isEqualTo(SnapshotType.FLUSH);
              assertThat(found.getTtl()).isEqualTo(5000);
              assertThat(found.getCreationTime()).isPositive();
              assertThat(found.getVersion()).isEqualTo(2);
            });
    assertThatThrownBy(() -> admin.snapshot(snapshot, table))
        .isInstanceOf(SnapshotExistsException.class);
    assertThatThrownBy(() -> admin.snapshot(snapshot + "x", TableName.valueOf("nosuch")))
        .isInstanceOf(SnapshotCreationException.class)
        .hasMessageContaining("doesn't exist");
    admin.deleteSnapshot(snapshot);
    assertThat(admin.listSnapshots(Pattern.compile(snapshot))).isEmpty();
    assertThatThrownBy(() -> admin.deleteSnapshot(snapshot))
        .isInstanceOf(SnapshotDoesNotExistException.class);
    assertThatThrownBy(() -> admin.cloneSnapshot(snapshot, TableName.valueOf("c")))
        .hasMessageContaining(snapshot);
  }

  @Test
  void aCloneHasWhatWasThereAtTheTimeAndOutlivesTableAndSnapshot() throws IOException {
    create();
    put("old");
    admin.snapshot(snapshot, table);
    put("new");
    admin.flush(table);
    long before = storedBytes();
    TableName clone = TableName.valueOf("other", "clone");
    admin.cloneSnapshot(snapshot, clone);
    assertThat(storedBytes()).isEqualTo(before);
    assertThat(values(clone)).isEqualTo(all("old"));
    assertThat(values(table)).isEqualTo(all("new"));
    assertThat(admin.getRegions(clone).stream().map(RegionInfo::getStartKey))
        .containsExactly(HConstants.EMPTY_START_ROW, row(30), row(60));
    drop(table);
    admin.deleteSnapshot(snapshot);
    admin.runCleanerChore();
    admin.runCleanerChore();
    admin.disableTable(clone);
    admin.enableTable(clone);
    assertThat(values(clone)).isEqualTo(all("old"));
    admin.majorCompact(clone);
    Eventually.holds(() -> !hasLinks(clone), "the clone has files of its own");
    assertThat(values(clone)).isEqualTo(all("old"));
  }

  private static boolean hasLinks(TableName name) throws IOException {
    Path home =
        data.resolve("data")
            .resolve(name.getNamespaceAsString())
            .resolve(name.getQualifierAsString());
    try (Stream<Path> files = Files.walk(home)) {
      return files.anyMatch(path -> path.getFileName().toString().contains("="));
    }
  }

  @Test
  void aSnapshotKeepsTheFilesOfADroppedTable() throws IOException {
    create();
    put("v");
    admin.snapshot(snapshot, table);
    drop(table);
    admin.runCleanerChore();
    admin.runCleanerChore();
    admin.cloneSnapshot(snapshot, table);
    assertThat(values(table)).isEqualTo(all("v"));
  }

  @Test
  void aRestoredTableIsAsItWas() throws Exception {
    create();
    put("old");
    admin.snapshot(snapshot, table);
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
            .build());
    put("new");
    admin.splitRegionAsync(admin.getRegions(table).get(0).getRegionName(), row(10)).get();
    assertThatThrownBy(() -> admin.restoreSnapshot(snapshot))
        .isInstanceOf(TableNotDisabledException.class);
    admin.disableTable(table);
    admin.restoreSnapshot(snapshot);
    assertThat(admin.isTableDisabled(table)).isTrue();
    admin.enableTable(table);
    assertThat(values(table)).isEqualTo(all("old"));
    assertThat(admin.getRegions(table)).hasSize(3);
    assertThat(admin.getDescriptor(table).getColumnFamilyCount()).isEqualTo(1);
    put("newer");
    assertThat(values(table)).isEqualTo(all("newer"));
    admin.disableTable(table);
    admin.restoreSnapshot(snapshot);
    admin.enableTable(table);
    assertThat(values(table)).isEqualTo(all("old"));
    assertThat(admin.listSnapshots().stream().map(SnapshotDescription::getName))
        .as("the failsafe snapshot of the client is gone")
        .noneMatch(name -> name.startsWith("hbase-failsafe"));
  }

  @Test
  void aSnapshotThatSkipsTheFlushLeavesOutWhatIsInMemory() throws IOException {
    create();
    put("old", 0, 50);
    admin.flush(table);
    put("new", 50, 100);
    admin.snapshot(snapshot, table, SnapshotType.SKIPFLUSH);
    TableName clone = TableName.valueOf(table + "c");
    admin.cloneSnapshot(snapshot, clone);
    assertThat(values(clone)).isEqualTo(all("old").subList(0, 50));
  }

  @Test
  void aDisabledTableHasSnapshots() throws IOException {
    create();
    put("v");
    admin.disableTable(table);
    admin.snapshot(snapshot, table);
    assertThat(admin.listSnapshots(Pattern.compile(snapshot)).get(0).getType())
        .isEqualTo(SnapshotType.DISABLED);
    TableName clone = TableName.valueOf(table + "c");
    admin.cloneSnapshot(snapshot, clone);
    assertThat(values(clone)).isEqualTo(all("v"));
  }

  @Test
  void halvesOfASplitFileAreClonedAndRestored() throws Exception {
    create();
    put("v");
    admin.flush(table);
    admin.compactionSwitch(false, List.of());
    try {
      admin.splitRegionAsync(admin.getRegions(table).get(1).getRegionName(), row(45)).get();
      admin.snapshot(snapshot, table);
      TableName clone = TableName.valueOf(table + "c");
      admin.cloneSnapshot(snapshot, clone);
      assertThat(values(clone)).isEqualTo(all("v"));
      assertThat(admin.getRegions(clone)).hasSize(4);
      admin.disableTable(table);
      admin.restoreSnapshot(snapshot);
      admin.enableTable(table);
      assertThat(values(table)).isEqualTo(all("v"));
      admin.snapshot(snapshot + "c", clone);
      TableName second = TableName.valueOf(table + "cc");
      admin.cloneSnapshot(snapshot + "c", second);
      drop(table);
      drop(clone);
      admin.deleteSnapshot(snapshot);
      admin.deleteSnapshot(snapshot + "c");
      admin.runCleanerChore();
      admin.runCleanerChore();
      admin.disableTable(second);
      admin.enableTable(second);
      assertThat(values(second)).isEqualTo(all("v"));
    } finally {
      admin.compactionSwitch(true, List.of());
    }
  }

  @Test
  void largeValuesBelongToASnapshot() throws IOException {
    create(
        ColumnFamilyDescriptorBuilder.newBuilder(F).setMobEnabled(true).setMobThreshold(1).build());
    put("old");
    admin.snapshot(snapshot, table);
    put("new");
    TableName clone = TableName.valueOf(table + "c");
    admin.cloneSnapshot(snapshot, clone);
    assertThat(values(clone)).isEqualTo(all("old"));
    admin.disableTable(table);
    admin.restoreSnapshot(snapshot);
    admin.enableTable(table);
    assertThat(values(table)).isEqualTo(all("old"));
    drop(table);
    admin.deleteSnapshot(snapshot);
    admin.runCleanerChore();
    admin.runCleanerChore();
    assertThat(values(clone)).isEqualTo(all("old"));
  }

  @Test
  void aTableWithListsOfFilesIsClonedAndACloneCanGetThem() throws IOException {
    create();
    put("v");
    admin.snapshot(snapshot, table);
    TableName clone = TableName.valueOf(table + "c");
    admin.cloneSnapshot(snapshot, clone, false, "FILE");
    assertThat(values(clone)).isEqualTo(all("v"));
    admin.snapshot(snapshot + "c", clone);
    drop(clone);
    admin.cloneSnapshot(snapshot + "c", clone);
    assertThat(values(clone)).isEqualTo(all("v"));
    assertThat(admin.getDescriptor(clone).getValue("hbase.store.file-tracker.impl"))
        .isEqualTo("FILE");
  }

  @Test
  void theAsynchronousClientDoesTheSame() throws Exception {
    create();
    put("old");
    try (AsyncConnection async =
        ConnectionFactory.createAsyncConnection(connection.getConfiguration()).get()) {
      async.getAdmin().snapshot(snapshot, table).get();
      assertThat(
              async
                  .getAdmin()
                  .isSnapshotFinished(admin.listSnapshots(Pattern.compile(snapshot)).get(0))
                  .get())
          .isTrue();
      put("new");
      async.getAdmin().disableTable(table).get();
      async.getAdmin().restoreSnapshot(snapshot).get();
      async.getAdmin().enableTable(table).get();
      assertThat(values(table)).isEqualTo(all("old"));
      async.getAdmin().deleteSnapshot(snapshot).get();
      assertThat(async.getAdmin().listSnapshots(Pattern.compile(snapshot)).get()).isEmpty();
    }
  }

  @Test
  void apachesToolsReadASnapshot() throws IOException {
    create();
    put("v");
    admin.snapshot(snapshot, table);
    Configuration settings = new Configuration(connection.getConfiguration());
    settings.set(HConstants.HBASE_DIR, data.toUri().toString());
    CommonFSUtils.setRootDir(settings, new org.apache.hadoop.fs.Path(data.toUri()));
    SnapshotInfo.SnapshotStats stats =
        SnapshotInfo.getSnapshotStats(
            settings, admin.listSnapshots(Pattern.compile(snapshot)).get(0));
    assertThat(stats.isSnapshotCorrupted()).isFalse();
    assertThat(stats.getStoreFilesCount()).isEqualTo(3);
    assertThat(stats.getMissingStoreFilesCount()).isZero();
    assertThat(stats.getStoreFilesSize()).isPositive();
    List<String> found = new ArrayList<>();
    FileSystem.getLocal(settings);
    try (TableSnapshotScanner scan =
        new TableSnapshotScanner(
            settings, new org.apache.hadoop.fs.Path(elsewhere.toUri()), snapshot, new Scan())) {
      for (Result row = scan.next(); row != null; row = scan.next()) {
        found.add(Bytes.toString(row.getRow()) + "=" + Bytes.toString(row.getValue(F, Q)));
      }
    }
    assertThat(found).isEqualTo(all("v"));
  }
}
