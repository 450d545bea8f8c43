package dev.cairn.coprocessor.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the hooks of flushes and compactions over Apache's client. */
class RewriteHooksTest {
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  private TableName name;
  private Table table;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().setting("hbase.client.retries.number", "1").start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin(TestInfo test) {
    RewriteProbe.reset();
    String method = test.getTestMethod().orElseThrow().getName();
    name = TableName.valueOf(method + "-" + Integer.toHexString(test.getDisplayName().hashCode()));
  }

  @AfterEach
  void end() throws IOException {
    RewriteProbe.reset();
    table.close();
    if (!admin.isTableDisabled(name)) {
      admin.disableTable(name);
    }
    admin.deleteTable(name);
  }

  private void create(ColumnFamilyDescriptorBuilder... families) throws IOException {
    create(table -> table, families);
  }

  private void create(
      UnaryOperator<TableDescriptorBuilder> change, ColumnFamilyDescriptorBuilder... families)
      throws IOException {
    TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(name);
    for (ColumnFamilyDescriptorBuilder family : families) {
      descriptor.setColumnFamily(family.build());
    }
    admin.createTable(
        change.apply(descriptor).setCoprocessor(RewriteProbe.class.getName()).build());
    table = connection.getTable(name);
  }

  private static ColumnFamilyDescriptorBuilder family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name));
  }

  private void put(String row, String family, String qualifier, long time, String value)
      throws IOException {
    table.put(
        new Put(Bytes.toBytes(row))
            .addColumn(
                Bytes.toBytes(family), Bytes.toBytes(qualifier), time, Bytes.toBytes(value)));
  }

  /** Flushes the region without the master, which would try again. */
  private void flushOnce() throws IOException {
    admin.flushRegion(admin.getRegions(name).get(0).getRegionName());
  }

  private void compact(boolean major) throws IOException {
    compact(admin, major);
  }

  private void compact(Admin by, boolean major) throws IOException {
    if (major) {
      by.majorCompact(name);
    } else {
      by.compact(name);
    }
    awaitCompactions();
  }

  private void awaitCompactions() {
    await()
        .atMost(2, TimeUnit.MINUTES)
        .until(() -> admin.getCompactionState(name) == CompactionState.NONE);
  }

  /** Returns the cells that reads see. */
  private List<String> cells() throws IOException {
    return cells(new Scan());
  }

  /** Returns the cells that are stored. */
  private List<String> stored() throws IOException {
    return cells(new Scan().setRaw(true).readAllVersions());
  }

  private List<String> cells(Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          cells.add(text(cell));
        }
      }
    }
    return cells;
  }

  private static String text(Cell cell) {
    return Bytes.toString(CellUtil.cloneRow(cell))
        + "/"
        + Bytes.toString(CellUtil.cloneQualifier(cell))
        + "/"
        + cell.getTimestamp()
        + (cell.getType() == Cell.Type.Put
            ? "=" + Bytes.toString(CellUtil.cloneValue(cell))
            : " " + cell.getType());
  }

  /** Applies a change to each row of a scanner. */
  private static RewriteProbe.Wrapper eachRow(Consumer<List<Cell>> change) {
    return scanner ->
        new InternalScanner() {
          @Override
          public boolean next(List<Cell> out, ScannerContext limits) throws IOException {
            boolean more = scanner.next(out);
            if (!out.isEmpty()) {
              change.accept(out);
            }
            return more;
          }

          @Override
          public void close() throws IOException {
            scanner.close();
          }
        };
  }

  @Test
  void theHooksOfAFlushAndOfAClose() throws IOException {
    create(family("f"), family("g"));
    put("a", "f", "q", 1, "v");
    put("a", "g", "q", 1, "v");
    admin.flush(name);
    assertThat(RewriteProbe.CALLS)
        .containsExactly(
            "preFlush",
            "preFlushScannerOpen f",
            "preFlush f",
            "postFlush f true",
            "preFlushScannerOpen g",
            "preFlush g",
            "postFlush g true",
            "postFlush");
    RewriteProbe.CALLS.clear();
    admin.flush(name);
    assertThat(RewriteProbe.CALLS).containsExactly("preFlush", "postFlush");
    RewriteProbe.CALLS.clear();
    put("b", "f", "q", 1, "v");
    admin.disableTable(name);
    assertThat(RewriteProbe.CALLS)
        .containsExactly(
            "preClose", "preFlushScannerOpen f", "preFlush f", "postFlush f true", "postClose");
  }

  @Test
  void theHooksOfCompactions() throws Exception {
    create(table -> table.setValue("hbase.hstore.compaction.max", "3"), family("f"));
    for (int i = 0; i < 4; i++) {
      put("a" + i, "f", "q", 1, "v".repeat(100 >> i));
      admin.flush(name);
    }
    RewriteProbe.CALLS.clear();
    compact(false);
    assertThat(RewriteProbe.CALLS)
        .startsWith(
            "preCompactSelection f 4",
            "postCompactSelection f 3",
            "preCompactScannerOpen f COMPACT_RETAIN_DELETES",
            "preCompact f COMPACT_RETAIN_DELETES 3 of " + user(),
            "postCompact f false");
    RewriteProbe.CALLS.clear();
    UserGroupInformation ann = UserGroupInformation.createRemoteUser("ann");
    try (Connection hers =
            ann.doAs((java.security.PrivilegedExceptionAction<Connection>) server::connect);
        Admin by = hers.getAdmin()) {
      compact(by, true);
    }
    assertThat(RewriteProbe.CALLS)
        .containsExactly(
            "preCompactSelection f 2",
            "postCompactSelection f 2",
            "preCompactScannerOpen f COMPACT_DROP_DELETES",
            "preCompact f COMPACT_DROP_DELETES 2 of ann",
            "postCompact f true");
    assertThat(cells()).hasSize(4);
  }

  private static String user() throws IOException {
    return UserGroupInformation.getCurrentUser().getShortUserName();
  }

  @Test
  void aHookDropsAddsAndChangesCells() throws IOException {
    create(family("f"));
    put("a", "f", "b", 1, "kept");
    put("a", "f", "secret", 1, "dropped");
    put("b", "f", "b", 1, "kept");
    put("c", "f", "secret", 1, "dropped");
    RewriteProbe.wrapper =
        eachRow(
            row -> {
              Cell first = row.get(0);
              row.removeIf(cell -> Bytes.toString(CellUtil.cloneQualifier(cell)).equals("secret"));
              if (row.isEmpty()) {
                return;
              }
              row.add(
                  0,
                  new KeyValue(
                      CellUtil.cloneRow(first),
                      Bytes.toBytes("f"),
                      Bytes.toBytes("a"),
                      7,
                      Bytes.toBytes("added")));
            });
    admin.flush(name);
    assertThat(cells()).containsExactly("a/a/7=added", "a/b/1=kept", "b/a/7=added", "b/b/1=kept");
    RewriteProbe.wrapper =
        eachRow(
            row ->
                row.replaceAll(
                    cell ->
                        new KeyValue(
                            CellUtil.cloneRow(cell),
                            CellUtil.cloneFamily(cell),
                            CellUtil.cloneQualifier(cell),
                            cell.getTimestamp(),
                            Bytes.toBytes("changed"))));
    compact(true);
    assertThat(cells())
        .containsExactly("a/a/7=changed", "a/b/1=changed", "b/a/7=changed", "b/b/1=changed");
  }

  @Test
  void cellsThatDoNotBelongIntoTheFileFailTheFlush() throws IOException {
    create(family("f"));
    put("b", "f", "q", 1, "v");
    put("b", "f", "r", 1, "v");
    assertRefused(row -> row.add(new KeyValue(Bytes.toBytes("c"), Bytes.toBytes("g"), null)));
    assertRefused(row -> row.add(row.get(0)));
    assertRefused(
        row ->
            row.add(0, new KeyValue(Bytes.toBytes("c"), Bytes.toBytes("f"), Bytes.toBytes("q"))));
    RewriteProbe.wrapper = scanner -> null;
    assertThatThrownBy(this::flushOnce).isInstanceOf(IOException.class);
    RewriteProbe.wrapper = scanner -> scanner;
    admin.flush(name);
    assertThat(cells()).containsExactly("b/q/1=v", "b/r/1=v");
  }

  private void assertRefused(Consumer<List<Cell>> change) throws IOException {
    RewriteProbe.CALLS.clear();
    RewriteProbe.wrapper = eachRow(change);
    assertThatThrownBy(this::flushOnce).isInstanceOf(IOException.class);
    assertThat(RewriteProbe.CALLS)
        .contains("preFlush f")
        .doesNotContain("postFlush f true", "postFlush");
    assertThat(cells()).containsExactly("b/q/1=v", "b/r/1=v");
  }

  @Test
  void aHookThatThrowsFailsTheFlushOrCompactionWhichIsTriedAgain() throws IOException {
    create(family("f"));
    put("a", "f", "q", 1, "v");
    for (String hook : List.of("preFlush", "preFlushScannerOpen")) {
      RewriteProbe.failing = hook;
      assertThatThrownBy(this::flushOnce).isInstanceOf(IOException.class);
    }
    RewriteProbe.failing = "postFlush";
    admin.flush(name);
    for (String hook : List.of("preCompactSelection", "preCompactScannerOpen", "preCompact")) {
      RewriteProbe.CALLS.clear();
      RewriteProbe.failing = hook;
      compact(true);
      assertThat(RewriteProbe.CALLS).noneMatch(call -> call.startsWith("postCompact "));
      assertThat(cells()).containsExactly("a/q/1=v");
    }
    RewriteProbe.failing = "";
    compact(true);
    assertThat(RewriteProbe.CALLS).contains("postCompact f true");
    assertThat(cells()).containsExactly("a/q/1=v");
  }

  /** The stored cells after three versions and a deleted column. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          flush | nothing      | a/q/3=v3 a/q/2=v2 a/q/1=v1 b/q/9 DeleteColumn
          flush | all versions | a/q/3=v3 a/q/2=v2 a/q/1=v1 b/q/9 DeleteColumn
          flush | deleted      | a/q/3=v3 a/q/2=v2 a/q/1=v1 b/q/9 DeleteColumn b/q/5=v
          flush | a minute     |
          major | nothing      | a/q/3=v3
          major | two versions | a/q/3=v3 a/q/2=v2
          major | all versions | a/q/3=v3 a/q/2=v2 a/q/1=v1
          major | deleted      | a/q/3=v3 a/q/2=v2 a/q/1=v1 b/q/9 DeleteColumn b/q/5=v
          major | purge late   | a/q/3=v3 a/q/2=v2 a/q/1=v1 b/q/9 DeleteColumn
          """)
  void theOptionsOfAScannerSayWhatIsKept(String rewrite, String options, String expected)
      throws IOException {
    create(family("f"));
    for (int i = 1; i <= 3; i++) {
      put("a", "f", "q", i, "v" + i);
    }
    put("b", "f", "q", 5, "v");
    table.delete(
        new Delete(Bytes.toBytes("b")).addColumns(Bytes.toBytes("f"), Bytes.toBytes("q"), 9));
    Consumer<ScanOptions> change = options(options);
    if (rewrite.equals("flush")) {
      RewriteProbe.options = change;
      admin.flush(name);
    } else {
      RewriteProbe.options = options("deleted");
      admin.flush(name);
      RewriteProbe.options = change;
      compact(true);
    }
    assertThat(String.join(" ", stored())).isEqualTo(expected == null ? "" : expected);
    assertThat(String.join(" ", cells())).isEqualTo(expected == null ? "" : "a/q/3=v3");
  }

  private static Consumer<ScanOptions> options(String name) {
    return switch (name) {
      case "nothing" -> all -> {};
      case "two versions" -> all -> all.setMaxVersions(2);
      case "all versions" -> ScanOptions::readAllVersions;
      case "a minute" -> all -> all.setTTL(60_000);
      case "deleted" ->
          all -> {
            all.readAllVersions();
            all.setKeepDeletedCells(KeepDeletedCells.TRUE);
          };
      case "purge late" ->
          all -> {
            all.readAllVersions();
            all.setTimeToPurgeDeletes(Long.MAX_VALUE / 2);
          };
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** In such a family the order of writes decides, which cells carry through the hooks. */
  @Test
  void cellsKeepTheirSequenceNumbers() throws IOException {
    create(family("f").setNewVersionBehavior(true).setMaxVersions(3));
    RewriteProbe.wrapper = eachRow(row -> {});
    put("a", "f", "q", 5, "old");
    table.delete(
        new Delete(Bytes.toBytes("a")).addColumns(Bytes.toBytes("f"), Bytes.toBytes("q"), 9));
    put("a", "f", "q", 5, "new");
    assertThat(cells()).containsExactly("a/q/5=new");
    admin.flush(name);
    assertThat(cells()).containsExactly("a/q/5=new");
    table.delete(
        new Delete(Bytes.toBytes("b")).addColumns(Bytes.toBytes("f"), Bytes.toBytes("q"), 9));
    put("b", "f", "q", 4, "later");
    admin.flush(name);
    compact(true);
    assertThat(cells()).containsExactly("a/q/5=new", "b/q/4=later");
  }

  @Test
  void aHookChoosesTheFilesOfACompaction() throws IOException {
    create(family("f"));
    for (int i = 0; i < 4; i++) {
      put("a" + i, "f", "q", 1, "v");
      admin.flush(name);
    }
    RewriteProbe.choice =
        files -> {
          files.remove(0);
          files.remove(2);
          java.util.Collections.reverse(files);
          return true;
        };
    RewriteProbe.CALLS.clear();
    compact(true);
    assertThat(RewriteProbe.CALLS)
        .contains("postCompactSelection f 2", "preCompact f COMPACT_RETAIN_DELETES 2 of " + user());
    assertThat(RewriteProbe.environment.getRegion().getStores().get(0).getStorefilesCount())
        .isEqualTo(3);
    RewriteProbe.choice =
        files -> {
          files.remove(1);
          return true;
        };
    RewriteProbe.CALLS.clear();
    compact(true);
    assertThat(RewriteProbe.CALLS).containsExactly("preCompactSelection f 3");
    RewriteProbe.choice =
        files -> {
          files.clear();
          return false;
        };
    compact(true);
    assertThat(RewriteProbe.CALLS).contains("postCompactSelection f 3", "postCompact f true");
    assertThat(cells()).hasSize(4);
  }

  @Test
  void aWrapperReadsTheRegion() throws IOException {
    create(family("f"));
    put("a", "f", "q", 1, "v");
    admin.flush(name);
    put("b", "f", "q", 1, "w");
    List<String> seen = new ArrayList<>();
    RewriteProbe.wrapper =
        eachRow(
            row -> {
              try (RegionScanner scanner =
                  RewriteProbe.environment.getRegion().getScanner(new Scan())) {
                List<Cell> cells = new ArrayList<>();
                while (scanner.next(cells)) {}
                cells.forEach(cell -> seen.add(text(cell)));
              } catch (IOException e) {
                seen.add(e.toString());
              }
            });
    compact(true);
    assertThat(seen).containsExactly("a/q/1=v", "b/q/1=w");
    seen.clear();
    admin.flush(name);
    assertThat(seen).containsExactly("a/q/1=v", "b/q/1=w");
  }

  @Test
  void aRegionClosesWhileAWrapperReadsIt() throws Exception {
    create(family("f"));
    for (int i = 0; i < 100; i++) {
      put("a" + i, "f", "q", 1, "v");
    }
    admin.flush(name);
    List<String> before = cells();
    CountDownLatch begun = new CountDownLatch(1);
    RewriteProbe.wrapper =
        scanner ->
            new InternalScanner() {
              @Override
              public boolean next(List<Cell> out, ScannerContext limits) throws IOException {
                begun.countDown();
                while (true) { // until the region refuses
                  try (RegionScanner inside =
                      RewriteProbe.environment.getRegion().getScanner(new Scan())) {
                    while (inside.next(new ArrayList<>())) {}
                  }
                }
              }

              @Override
              public void close() throws IOException {
                scanner.close();
              }
            };
    admin.majorCompact(name);
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    CompletableFuture<Void> disabled =
        CompletableFuture.runAsync(
            () -> {
              try {
                admin.disableTable(name);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    disabled.get(2, TimeUnit.MINUTES);
    assertThat(RewriteProbe.CALLS).noneMatch(call -> call.startsWith("postCompact "));
    RewriteProbe.reset();
    admin.enableTable(name);
    assertThat(cells()).isEqualTo(before);
  }

  @Test
  void familiesWithMob() throws IOException {
    create(family("f").setMobEnabled(true).setMobThreshold(10));
    String large = "x".repeat(1000);
    put("a", "f", "q", 1, large);
    put("a", "f", "secret", 1, large);
    put("b", "f", "q", 1, "small");
    RewriteProbe.wrapper =
        eachRow(
            row ->
                row.removeIf(
                    cell -> Arrays.equals(CellUtil.cloneQualifier(cell), Bytes.toBytes("secret"))));
    admin.flush(name);
    assertThat(cells()).containsExactly("a/q/1=" + large, "b/q/1=small");
    put("c", "f", "secret", 1, large);
    RewriteProbe.wrapper = scanner -> scanner;
    admin.flush(name);
    assertThat(cells()).hasSize(3);
    RewriteProbe.wrapper =
        eachRow(
            row ->
                row.removeIf(
                    cell -> Arrays.equals(CellUtil.cloneQualifier(cell), Bytes.toBytes("secret"))));
    compact(true);
    assertThat(cells()).containsExactly("a/q/1=" + large, "b/q/1=small");
  }
}
