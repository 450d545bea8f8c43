package dev.cairn.coprocessor.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks which hooks of reads are called, in which order, and what they can change. */
class ReadHooksTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final TableName NAME = TableName.valueOf("read");

  private static CairnServer server;
  private static Connection connection;
  private static Table table;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.client.retries.number", "2")
            .setting("hbase.client.scanner.timeout.period", "3000")
            .start();
    connection = server.connect();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
              .setCoprocessor(ReadProbe.class.getName())
              .build());
    }
    table = connection.getTable(NAME);
    for (int i = 1; i <= 4; i++) {
      byte[] row = Bytes.toBytes("r" + i);
      table.put(new Put(row).addColumn(F, Q, i, row).addColumn(G, Q, i, row));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin() {
    ReadProbe.CALLS.clear();
    ReadProbe.THREADS.clear();
  }

  @AfterEach
  void noHookRunsOnTheNetworksThreads() {
    assertThat(ReadProbe.THREADS).isNotEmpty().noneMatch(name -> name.contains("network"));
  }

  private static byte[] row(int i) {
    return Bytes.toBytes("r" + i);
  }

  private static List<String> rows(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private static Scan scan(String probe) {
    return new Scan().setAttribute("probe", Bytes.toBytes(probe));
  }

  @Test
  void hooksKnowTheCaller() throws IOException {
    ReadProbe.USERS.clear();
    table.get(new Get(row(1)));
    assertThat(ReadProbe.USERS).containsExactly(System.getProperty("user.name"));
    ReadProbe.USERS.clear();
    rows(scan(""));
    assertThat(ReadProbe.USERS).containsExactly(System.getProperty("user.name"));
  }

  @Test
  void aGet() throws IOException {
    assertThat(table.get(new Get(row(1))).size()).isEqualTo(2);
    assertThat(ReadProbe.CALLS)
        .containsExactly(
            "preGetOp 2", "preStoreScannerOpen f", "preStoreScannerOpen g", "postGetOp 2");
  }

  @Test
  void aGetOfOneFamilyInABatch() throws IOException {
    table.get(List.of(new Get(row(1)).addFamily(G), new Get(row(9))));
    assertThat(ReadProbe.CALLS)
        .containsExactly(
            "preGetOp 1",
            "preStoreScannerOpen g",
            "postGetOp 1",
            "preGetOp 2",
            "preStoreScannerOpen f",
            "preStoreScannerOpen g",
            "postGetOp 0");
  }

  @Test
  void aHookBeforeAGetAnswersIt() throws IOException {
    Result result = table.get(new Get(row(1)).setAttribute("preGetOp", Q));
    assertThat(result.rawCells()).containsExactly(ReadProbe.MADE);
    assertThat(ReadProbe.CALLS).containsExactly("preGetOp 2");
  }

  @Test
  void aHookBeforeAGetChangesIt() throws IOException {
    assertThat(table.get(new Get(row(2)).setAttribute("narrow", Bytes.toBytes(1))))
        .satisfies(result -> assertThat(result.isEmpty()).isTrue());
    assertThat(table.get(new Get(row(2)).setAttribute("narrow", Bytes.toBytes(2))).size())
        .isEqualTo(2);
  }

  @Test
  void aHookAfterAGetChangesItsCells() throws IOException {
    Result result = table.get(new Get(row(1)).setAttribute("postGetOp", Q));
    assertThat(result.rawCells())
        .containsExactly(new KeyValue(row(1), G, Q, 1, row(1)), ReadProbe.MADE);
  }

  @Test
  void aQuestionWhetherARowExists() throws IOException {
    assertThat(table.exists(new Get(row(1)).setAttribute("postExists", Q))).isFalse();
    assertThat(ReadProbe.CALLS)
        .containsExactly(
            "preExists",
            "preGetOp 2",
            "preStoreScannerOpen f",
            "preStoreScannerOpen g",
            "postGetOp 2",
            "postExists true");
    assertThat(table.exists(new Get(row(9)).setAttribute("postExists", Q))).isTrue();
    ReadProbe.CALLS.clear();
    assertThat(table.exists(new Get(row(9)).setAttribute("preExists", Q))).isTrue();
    assertThat(ReadProbe.CALLS).containsExactly("preExists");
    Get cleared = new Get(row(1)).setAttribute("clear", Q).setAttribute("postExists", Q);
    assertThat(table.exists(cleared)).isTrue();
  }

  @Test
  void questionsInABatchAreGets() throws IOException {
    boolean[] exist = table.exists(List.of(new Get(row(1)), new Get(row(9))));
    assertThat(exist).containsExactly(true, false);
    assertThat(ReadProbe.CALLS).noneMatch(call -> call.contains("Exists"));
  }

  @Test
  void aScanOfOneCall() throws IOException {
    assertThat(rows(scan("").setCaching(10))).containsExactly("r1", "r2", "r3", "r4");
    assertThat(ReadProbe.CALLS)
        .containsExactly(
            "preScannerOpen 2",
            "preStoreScannerOpen f",
            "preStoreScannerOpen g",
            "postScannerOpen",
            "preScannerNext 10",
            "postScannerNext 4",
            "preScannerClose",
            "postScannerClose");
  }

  @Test
  void aScanOfSeveralCalls() throws IOException {
    assertThat(rows(scan("").addFamily(F).setCaching(3))).containsExactly("r1", "r2", "r3", "r4");
    assertThat(ReadProbe.CALLS)
        .containsExactly(
            "preScannerOpen 1",
            "preStoreScannerOpen f",
            "postScannerOpen",
            "preScannerNext 3",
            "postScannerNext 3",
            "preScannerNext 3",
            "postScannerNext 1",
            "preScannerClose",
            "postScannerClose");
  }

  @Test
  void aScanThatItsClientCloses() throws IOException {
    try (ResultScanner scanner = table.getScanner(scan("").setCaching(1))) {
      scanner.next();
    }
    Awaitility.await()
        .atMost(1, TimeUnit.MINUTES)
        .untilAsserted(
            () -> assertThat(ReadProbe.CALLS).endsWith("preScannerClose", "postScannerClose"));
  }

  @Test
  void aScanWhoseLeaseExpires() throws IOException {
    ResultScanner scanner = table.getScanner(scan("").setCaching(1).setMaxResultSize(1));
    scanner.next();
    Awaitility.await()
        .atMost(1, TimeUnit.MINUTES)
        .untilAsserted(
            () -> assertThat(ReadProbe.CALLS).endsWith("preScannerClose", "postScannerClose"));
    assertThat(ReadProbe.THREADS).anyMatch(name -> name.startsWith("coprocessor-"));
    scanner.close();
  }

  @Test
  void aHookKeepsAScanOpen() throws IOException {
    assertThat(rows(scan("preScannerClose").setCaching(10))).hasSize(4);
    assertThat(ReadProbe.CALLS).endsWith("preScannerClose").doesNotContain("postScannerClose");
    // At the end of the lease, it is closed nevertheless.
    Awaitility.await()
        .atMost(1, TimeUnit.MINUTES)
        .untilAsserted(
            () ->
                assertThat(ReadProbe.CALLS)
                    .endsWith("preScannerClose", "preScannerClose", "postScannerClose"));
  }

  @Test
  void aHookChangesAScan() throws IOException {
    assertThat(rows(scan("preScannerOpen"))).containsExactly("r3", "r3", "r4", "r4");
  }

  @Test
  void aHookRefusesAScan() {
    assertThatThrownBy(() -> rows(scan("fails")))
        .hasCauseInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("the probe fails");
    assertThat(ReadProbe.CALLS).containsExactly("preScannerOpen 2");
  }

  @Test
  void readsOfReplicasHaveHooksToo() throws IOException {
    TableName name = TableName.valueOf("copied");
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setRegionReplication(2)
              .setCoprocessor(ReadProbe.class.getName())
              .build());
      try (Table copied = connection.getTable(name)) {
        copied.put(new Put(F).addColumn(F, Q, Q));
        admin.flush(name);
        Get get = new Get(F).setConsistency(Consistency.TIMELINE).setReplicaId(1);
        Awaitility.await()
            .atMost(2, TimeUnit.MINUTES)
            .ignoreExceptions()
            .until(() -> copied.get(get).size() == 1);
        ReadProbe.CALLS.clear();
        assertThat(copied.get(get).isStale()).isTrue();
        assertThat(ReadProbe.CALLS)
            .containsExactly("preGetOp 1", "preStoreScannerOpen f", "postGetOp 1");
      }
    }
  }

  @Test
  void aHooksScannerLeavesOutTheRestOfARow() throws IOException {
    assertThat(rows(scan("drop").setMaxResultSize(1))).containsExactly("r1", "r2", "r3", "r4");
  }

  @Test
  void aHookAnswersACallOfAScan() throws IOException {
    assertThat(rows(scan("preScannerNext").setCaching(10)))
        .containsExactly("made", "made", "r1", "r2", "r3", "r4");
  }

  @Test
  void aHookChangesTheResultsOfACall() throws IOException {
    assertThat(rows(scan("postScannerNext").setCaching(2))).containsExactly("r1", "r3", "r4");
  }

  @Test
  void aHookSaysWhichCellsAReadKeeps() throws IOException {
    assertRetained(table);
    try (Admin admin = connection.getAdmin()) {
      TableName name = TableName.valueOf("retained");
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(ReadProbe.OfStores.class.getName())
              .build());
      try (Table retained = connection.getTable(name)) {
        assertRetained(retained);
      }
    }
  }

  private static void assertRetained(Table table) throws IOException {
    byte[] row = Bytes.toBytes("s");
    table.put(new Put(row).addColumn(F, Q, 1, row));
    table.put(new Put(row).addColumn(F, Q, 2, row));
    table.delete(new Delete(row).addFamily(F, 2));
    byte[] three = Bytes.toBytes(3);
    Get raw = new Get(row).readAllVersions().setTimeRange(0, 2);
    assertThat(table.get(raw).isEmpty()).isTrue();
    assertThat(table.get(raw.setAttribute("retention", three)).size()).isEqualTo(1);
    Scan scan = new Scan(raw);
    scan.setAttribute("retention", three);
    try (ResultScanner scanner = table.getScanner(scan)) {
      assertThat(scanner.next().getRow()).isEqualTo(row);
    }
    table.delete(new Delete(row));
  }
}
