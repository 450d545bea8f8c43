package dev.cairn.coprocessor.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks the hooks of dropped rows and of delete markers. */
class ReadRulesTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;
  private static int tables;

  private TableName name;
  private Table table;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().setting("hbase.client.retries.number", "2").start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin() {
    DroppedRowsProbe.CALLS.clear();
    DeletesProbe.CALLS.clear();
    DeletesProbe.mode = DeletesProbe.Mode.GIVEN;
    name = TableName.valueOf("t" + tables++);
  }

  private void create(Class<?> probe, String... rows) throws IOException {
    create(ColumnFamilyDescriptorBuilder.newBuilder(F), probe, rows);
  }

  private void create(ColumnFamilyDescriptorBuilder family, Class<?> probe, String... rows)
      throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(family.setMaxVersions(3).build())
            .setCoprocessor(probe.getName())
            .build());
    table = connection.getTable(name);
    for (String row : rows) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(F, Q, Bytes.toBytes(row)));
    }
  }

  private List<String> rows(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private static RowFilter without(String row) {
    return new RowFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(Bytes.toBytes(row)));
  }

  @Test
  void aHookHearsOfRowsThatFiltersDrop() throws IOException {
    create(DroppedRowsProbe.class, "a", "b", "c");
    assertThat(rows(new Scan().setFilter(without("b")))).containsExactly("a", "c");
    assertThat(DroppedRowsProbe.CALLS).containsExactly("b true");
    assertThat(DroppedRowsProbe.shown).isNotNull().isSameAs(DroppedRowsProbe.opened);
    DroppedRowsProbe.CALLS.clear();
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, Bytes.toBytes("b"));
    assertThat(rows(new Scan().setFilter(filter))).containsExactly("b");
    assertThat(DroppedRowsProbe.CALLS).containsExactly("a true", "c true");
  }

  @Test
  void aHookHearsOfRowsWhoseCellsAreHidden() throws IOException {
    create(DroppedRowsProbe.class, "a", "b");
    table.delete(new Delete(Bytes.toBytes("a")));
    assertThat(table.get(new Get(Bytes.toBytes("a"))).isEmpty()).isTrue();
    assertThat(table.get(new Get(Bytes.toBytes("none"))).isEmpty()).isTrue();
    assertThat(rows(new Scan())).containsExactly("b");
    assertThat(DroppedRowsProbe.CALLS).containsExactly("a true", "a true");
  }

  @Test
  void aHookDoesNotHearOfTheRowAtWhichAFilterEnds() throws IOException {
    create(DroppedRowsProbe.class, "a1", "b1", "c1");
    assertThat(rows(new Scan().setFilter(new PrefixFilter(Bytes.toBytes("a")))))
        .containsExactly("a1");
    assertThat(DroppedRowsProbe.CALLS).isEmpty();
  }

  @Test
  void aHookEndsTheScanOfARegion() throws IOException {
    create(DroppedRowsProbe.class, "a", "x-end", "z");
    assertThat(rows(new Scan().setFilter(without("x-end")))).containsExactly("a");
  }

  @Test
  void aHookFailsTheScan() throws IOException {
    create(DroppedRowsProbe.class, "a", "x-fail", "z");
    assertThatThrownBy(() -> rows(new Scan().setFilter(without("x-fail"))))
        .hasStackTraceContaining("not this row");
  }

  @Test
  void aHookCannotReadOn() throws IOException {
    create(DroppedRowsProbe.class, "a", "x-read", "z");
    assertThatThrownBy(() -> rows(new Scan().setFilter(without("x-read"))))
        .hasStackTraceContaining("A hook uses the scan that calls it");
    table.delete(new Delete(Bytes.toBytes("x-read")));
    assertThatThrownBy(() -> table.get(new Get(Bytes.toBytes("x-read"))))
        .hasStackTraceContaining("A hook cannot read on");
  }

  @Test
  void aTrackerDecidesWhatMarkersHide() throws IOException {
    create(DeletesProbe.class, "a", "b");
    table.delete(new Delete(Bytes.toBytes("a")));
    assertThat(rows(new Scan())).containsExactly("b");
    assertThat(DeletesProbe.CALLS).containsExactly("hook ScanDeleteTracker");
    DeletesProbe.CALLS.clear();
    DeletesProbe.mode = DeletesProbe.Mode.IGNORING;
    assertThat(rows(new Scan())).containsExactly("a", "b");
    assertThat(DeletesProbe.CALLS)
        .containsExactly("hook ScanDeleteTracker", "isDeleted FAMILY_DELETED");
    assertThat(table.get(new Get(Bytes.toBytes("a"))).isEmpty()).isFalse();
    admin.flush(name);
    assertThat(rows(new Scan())).containsExactly("a", "b");
    table.delete(new Delete(Bytes.toBytes("b")));
    admin.flush(name);
    DeletesProbe.mode = DeletesProbe.Mode.GIVEN;
    assertThat(rows(new Scan())).isEmpty();
  }

  @Test
  void aTrackerOfHBaseAnswersAsTheEngine() throws IOException {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    create(DeletesProbe.class);
    for (int i = 0; i < 400; i++) {
      write(random);
      if (random.nextInt(80) == 0) {
        admin.flush(name);
      }
      if (random.nextInt(4) == 0) {
        Scan scan =
            new Scan().readVersions(1 + random.nextInt(4)).setReversed(random.nextBoolean());
        if (random.nextBoolean()) {
          scan.addColumn(F, new byte[] {(byte) ('a' + random.nextInt(3))});
        }
        DeletesProbe.mode = DeletesProbe.Mode.GIVEN;
        List<Cell> expected = cells(new Scan(scan));
        DeletesProbe.mode = DeletesProbe.Mode.SAME_RULE;
        assertThat(cells(scan)).isEqualTo(expected);
      }
    }
  }

  @Test
  void rewritesByATrackerOfHBaseKeepWhatThoseOfTheEngineKeep() throws IOException {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    DeletesProbe.mode = DeletesProbe.Mode.SAME_RULE;
    create(DeletesProbe.class);
    Table hooked = table;
    TableName plain = TableName.valueOf(name + "-plain");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(plain)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).build())
            .build());
    for (int i = 0; i < 300; i++) {
      long step = random.nextLong();
      for (Table one : List.of(hooked, connection.getTable(plain))) {
        table = one;
        write(new Random(step));
        if (i % 30 == 29) {
          admin.flush(one.getName());
        }
        if (i % 150 == 149) {
          compact(one.getName());
        }
      }
      if (i % 10 == 0) {
        table = hooked;
        List<Cell> cells = cells(new Scan().readAllVersions());
        table = connection.getTable(plain);
        assertThat(cells).isEqualTo(cells(new Scan().readAllVersions()));
      }
    }
  }

  private void compact(TableName which) throws IOException {
    admin.majorCompact(which);
    Awaitility.await()
        .atMost(2, TimeUnit.MINUTES)
        .until(() -> admin.getCompactionState(which) == CompactionState.NONE);
  }

  private void write(Random random) throws IOException {
    byte[] row = {(byte) ('a' + random.nextInt(3))};
    byte[] column =
        random.nextInt(5) == 0 ? new byte[0] : new byte[] {(byte) ('a' + random.nextInt(3))};
    long time = 1 + random.nextInt(6);
    switch (random.nextInt(8)) {
      case 0 -> table.delete(new Delete(row).addFamily(F, time));
      case 1 -> table.delete(new Delete(row).addFamilyVersion(F, time));
      case 2 -> table.delete(new Delete(row).addColumns(F, column, time));
      case 3 -> table.delete(new Delete(row).addColumn(F, column, time));
      default -> table.put(new Put(row).addColumn(F, column, time, row));
    }
  }

  private List<Cell> cells(Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        cells.addAll(result.listCells());
      }
    }
    return cells;
  }

  @Test
  void aFamilyWithNewVersionBehaviorKeepsItsOwn() throws IOException {
    create(
        ColumnFamilyDescriptorBuilder.newBuilder(F).setNewVersionBehavior(true),
        DeletesProbe.class,
        "a");
    assertThat(rows(new Scan())).containsExactly("a");
    assertThat(DeletesProbe.CALLS).containsExactly("hook NewVersionBehaviorTracker");
    DeletesProbe.mode = DeletesProbe.Mode.IGNORING;
    assertThatThrownBy(() -> rows(new Scan())).hasMessageContaining("NEW_VERSION_BEHAVIOR");
  }
}
