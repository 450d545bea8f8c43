package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a scan sees of what happens while it runs: writes, flushes, regions that are reopened. */
@ParameterizedClass
@EnumSource(State.class)
class ScanLifeTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] F = toBytes("f");
  private static final int ROWS = 12;
  private static final int COLUMNS = 6;

  @Parameter State state;

  private TestTable table;

  /** Twelve rows of six cells in two regions; row 03 was deleted. */
  @BeforeEach
  void fill() throws Exception {
    table =
        SERVER.create("life", new byte[][] {toBytes("r06")}, ColumnFamilyDescriptorBuilder.of(F));
    Mutation[] writes = new Mutation[ROWS + 1];
    for (int i = 0; i < ROWS; i++) {
      writes[i] = row("r%02d".formatted(i), 1, "old");
    }
    writes[ROWS] = new Delete(toBytes("r03"));
    state.write(table, writes);
  }

  @AfterEach
  void close() throws IOException {
    table.close();
  }

  private static Put row(String row, long timestamp, String value) {
    Put put = new Put(toBytes(row));
    for (int i = 0; i < COLUMNS; i++) {
      put.addColumn(F, toBytes("q" + i), timestamp, toBytes(value));
    }
    return put;
  }

  private static List<String> rest(ResultScanner scanner) throws IOException {
    List<String> rest = new ArrayList<>();
    for (Result result = scanner.next(); result != null; result = scanner.next()) {
      rest.add(Bytes.toString(result.getRow()) + " " + Bytes.toString(result.value()));
    }
    return rest;
  }

  private static List<String> old(int... rows) {
    return Arrays.stream(rows).mapToObj("r%02d old"::formatted).toList();
  }

  private void overwriteTheFirstRegion() throws IOException {
    table.table().put(List.of(row("r01", 2, "new"), row("r02", 2, "new"), row("r02a", 2, "new")));
    table.table().delete(new Delete(toBytes("r04")));
  }

  private void reopen() throws IOException {
    TableDescriptor now = table.table().getDescriptor();
    table
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(now)
                .setValue("REOPENED", Long.toString(System.nanoTime()))
                .build());
  }

  @Test
  void aScanSeesARegionAsItWasWhenItBegan() throws IOException {
    try (ResultScanner scanner = table.table().getScanner(new Scan().setCaching(1))) {
      assertThat(Bytes.toString(scanner.next().getRow())).isEqualTo("r00");
      overwriteTheFirstRegion();
      assertThat(rest(scanner)).isEqualTo(old(1, 2, 4, 5, 6, 7, 8, 9, 10, 11));
    }
  }

  @Test
  void theResponseWithTheLastRowEndsTheScan() throws IOException {
    Scan scan = new Scan().withStartRow(toBytes("r04")).withStopRow(toBytes("r05"), true);
    Scan back = new Scan().withStartRow(toBytes("r05")).withStopRow(toBytes("r04"), true);
    for (Scan each : List.of(scan, back.setReversed(true))) {
      each.setCaching(2).setScanMetricsEnabled(true);
      try (ResultScanner scanner = table.table().getScanner(each)) {
        assertThat(rest(scanner)).hasSize(2);
        assertThat(scanner.getScanMetrics().countOfRPCcalls.get()).isEqualTo(1);
      }
    }
  }

  @Test
  void flushAndCompactionInTheMiddleChangeNothing() throws IOException {
    try (ResultScanner scanner = table.table().getScanner(new Scan().setCaching(1))) {
      scanner.next();
      overwriteTheFirstRegion();
      table.flush();
      Result second = scanner.next();
      assertThat(Bytes.toString(second.getRow())).isEqualTo("r01");
      assertThat(Bytes.toString(second.value())).isEqualTo("old");
      table.majorCompact();
      assertThat(rest(scanner)).isEqualTo(old(2, 4, 5, 6, 7, 8, 9, 10, 11));
    }
    assertThat(table.value("r02a", "f:q0")).isEqualTo("new");
  }

  @Test
  void aRowThatComesInPartsIsOfOneMoment() throws IOException {
    try (ResultScanner scanner = table.table().getScanner(new Scan().setBatch(2).setCaching(1))) {
      for (int part = 0; part < 4; part++) {
        scanner.next();
      }
      overwriteTheFirstRegion();
      for (int part = 4; part < 6; part++) {
        assertThat(Bytes.toString(scanner.next().value())).isEqualTo("old");
      }
    }
  }

  @Test
  void regionsMayBeReopenedInTheMiddle() throws IOException {
    for (boolean reversed : new boolean[] {false, true}) {
      List<String> all = new ArrayList<>();
      List<String> expected = new ArrayList<>(old(0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11));
      if (reversed) {
        Collections.reverse(expected);
      }
      Scan scan = new Scan().setCaching(2).setReversed(reversed);
      try (ResultScanner scanner = table.table().getScanner(scan)) {
        for (Result result : scanner.next(3)) {
          all.add(Bytes.toString(result.getRow()) + " " + Bytes.toString(result.value()));
        }
        reopen();
        all.addAll(rest(scanner));
      }
      assertThat(all).isEqualTo(expected);
    }
  }

  @Test
  void aTableMayBeDisabledAndEnabledInTheMiddle() throws IOException {
    try (ResultScanner scanner = table.table().getScanner(new Scan().setCaching(2))) {
      scanner.next(3);
      table.admin().disableTable(table.name());
      table.admin().enableTable(table.name());
      assertThat(rest(scanner)).isEqualTo(old(4, 5, 6, 7, 8, 9, 10, 11));
    }
  }

  @Test
  void noCellOfARowIsLostOrDoubledWhereItsRegionIsReopened() throws IOException {
    Scan[] inParts = {
      new Scan().setBatch(4).setCaching(1),
      new Scan().setMaxResultSize(1).setAllowPartialResults(true),
      new Scan().setMaxResultSize(1)
    };
    for (Scan scan : inParts) {
      List<String> cells = new ArrayList<>();
      try (ResultScanner scanner = table.table().getScanner(scan)) {
        cells.addAll(TestTable.cells(scanner.next()));
        cells.addAll(TestTable.cells(scanner.next()));
        cells.addAll(TestTable.cells(scanner.next()));
        reopen();
        for (Result part = scanner.next(); part != null; part = scanner.next()) {
          cells.addAll(TestTable.cells(part));
        }
      }
      assertThat(cells).as("%s", scan).isEqualTo(table.scan(new Scan()));
    }
  }

  @Test
  void aRowWhoseRegionIsReopenedIsStillOfOneMoment() throws Exception {
    // So that the flush at the closing leaves nothing out, such as what was deleted before.
    table.flush();
    try (ResultScanner scanner = table.table().getScanner(new Scan().setBatch(2).setCaching(1))) {
      for (int part = 0; part < 4; part++) {
        scanner.next();
      }
      overwriteTheFirstRegion();
      reopen();
      for (int part = 4; part < 6; part++) {
        assertThat(Bytes.toString(scanner.next().value())).isEqualTo("old");
      }
    }
  }

  @Test
  void leasesAreRenewed() throws IOException {
    try (ResultScanner scanner = table.table().getScanner(new Scan().setCaching(2))) {
      scanner.next();
      for (int i = 0; i < 5; i++) {
        assertThat(scanner.renewLease()).isTrue();
      }
      assertThat(rest(scanner)).isEqualTo(old(1, 2, 4, 5, 6, 7, 8, 9, 10, 11));
    }
  }

  @Test
  void uncommittedReadsSeeWhatIsCommitted() throws IOException {
    Scan scan = new Scan().setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
    assertThat(table.scan(scan)).isEqualTo(table.scan(new Scan())).hasSize((ROWS - 1) * COLUMNS);
    Get get = new Get(toBytes("r01"));
    get.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
    assertThat(table.get(get)).hasSize(COLUMNS);
  }

  @Test
  void theFirstReplicaAnswersWhateverConsistencyIsAsked() throws IOException {
    Get get = new Get(toBytes("r01"));
    for (Consistency consistency : Consistency.values()) {
      Result result = table.table().get(new Get(get).setConsistency(consistency));
      assertThat(result.isStale()).isFalse();
      assertThat(result.size()).isEqualTo(COLUMNS);
      assertThat(table.rows(new Scan().setConsistency(consistency))).hasSize(ROWS - 1);
    }
    Get primary = new Get(get).setConsistency(Consistency.TIMELINE);
    primary.setReplicaId(0);
    assertThat(table.get(primary)).hasSize(COLUMNS);
  }

  @Test
  void hintsChangeNothing() throws IOException {
    Scan hinted =
        new Scan().setCacheBlocks(false).setLoadColumnFamiliesOnDemand(true).setPriority(100);
    assertThat(table.scan(hinted)).isEqualTo(table.scan(new Scan()));
    assertThat(table.scan(new Scan(hinted).setLoadColumnFamiliesOnDemand(false)))
        .isEqualTo(table.scan(new Scan()));
    assertThat(table.get(new Get(toBytes("r01")).setCacheBlocks(false).setPriority(100)))
        .hasSize(COLUMNS);
    assertThat(table.scan(new Scan().setAttribute("of", toBytes("one's own")).setId("an id")))
        .hasSize((ROWS - 1) * COLUMNS);
  }
}
