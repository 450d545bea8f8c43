package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which cells of a row a get or a scan returns: families, columns, times, versions, deleted ones.
 */
@ParameterizedClass
@EnumSource(State.class)
class SelectionTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] F = toBytes("f");
  private static final byte[] G = toBytes("g");
  private static final byte[] K = toBytes("k");
  private static final byte[] R = toBytes("r");
  private static final byte[] GONE = toBytes("gone");

  private static TestTable table;

  @Parameter State state;

  @BeforeParameterizedClassInvocation
  static void fill(State state) throws Exception {
    table =
        SERVER.create(
            "selection",
            ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(5).build(),
            ColumnFamilyDescriptorBuilder.newBuilder(G).setMaxVersions(3).build(),
            ColumnFamilyDescriptorBuilder.newBuilder(K)
                .setMaxVersions(9)
                .setKeepDeletedCells(KeepDeletedCells.TRUE)
                .build());
    state.write(
        table,
        put("r", "f:a", 1, "a1"),
        put("r", "f:a", 2, "a2"),
        put("r", "g:x", 2, "x2"),
        put("r", "f:a", 4, "a4"),
        put("r", "f:a", 3, "a3"),
        put("r", "f:b", 3, "b3"),
        put("r", "f:c", 4, "c4"),
        put("r", "f:", 2, "no qualifier"),
        put("r", "g:x", 5, "x5"),
        put("r", "g:y", 3, ""),
        put("gone", "k:q", 1, "q1"),
        put("gone", "k:q", 2, "q2"),
        new Delete(GONE).addColumns(K, toBytes("q"), 2),
        put("gone", "k:q", 4, "q4"),
        put("gone", "k:p", 3, "p3"),
        new Delete(GONE).addColumn(K, toBytes("p"), 3),
        new Delete(GONE).addFamilyVersion(K, 4),
        put("gone", "k:z", 7, "z7"));
  }

  @AfterParameterizedClassInvocation
  static void close() throws IOException {
    table.close();
  }

  private static Put put(String row, String column, long timestamp, String value) {
    return new Put(toBytes(row))
        .addColumn(
            TestTable.family(column), TestTable.qualifier(column), timestamp, toBytes(value));
  }

  /** Reads by a get and by a scan of the one row, which have to agree. */
  private static List<String> read(Get get) throws IOException {
    List<String> cells = table.get(get);
    assertThat(table.scan(new Scan(get))).as("as a scan").isEqualTo(cells);
    assertThat(table.scan(new Scan(get).setReversed(true))).as("reversed").isEqualTo(cells);
    assertThat(table.table().exists(new Get(get))).as("exists").isEqualTo(!cells.isEmpty());
    return cells;
  }

  private static Get get() {
    return new Get(R);
  }

  @Test
  void allFamiliesTheNewestVersionOfEachColumn() throws IOException {
    assertThat(read(get()))
        .containsExactly(
            "r/f:@2=no qualifier",
            "r/f:a@4=a4",
            "r/f:b@3=b3",
            "r/f:c@4=c4",
            "r/g:x@5=x5",
            "r/g:y@3=");
  }

  @Test
  void oneFamily() throws IOException {
    assertThat(read(get().addFamily(G))).containsExactly("r/g:x@5=x5", "r/g:y@3=");
    assertThat(read(get().addFamily(K))).isEmpty();
  }

  @Test
  void columnsOfSeveralFamilies() throws IOException {
    assertThat(
            read(
                get()
                    .addColumn(G, toBytes("y"))
                    .addColumn(F, toBytes("c"))
                    .addColumn(F, toBytes("a"))
                    .addColumn(F, toBytes("none"))))
        .containsExactly("r/f:a@4=a4", "r/f:c@4=c4", "r/g:y@3=");
  }

  @Test
  void aColumnAndAWholeFamily() throws IOException {
    assertThat(read(get().addColumn(F, toBytes("b")).addFamily(G)))
        .containsExactly("r/f:b@3=b3", "r/g:x@5=x5", "r/g:y@3=");
    assertThat(read(get().addColumn(F, toBytes("b")).addFamily(F)))
        .as("the family takes the place of its columns")
        .hasSize(4);
  }

  @Test
  void theEmptyQualifier() throws IOException {
    assertThat(read(get().addColumn(F, new byte[0]))).containsExactly("r/f:@2=no qualifier");
    assertThat(read(get().addColumn(F, null))).containsExactly("r/f:@2=no qualifier");
    assertThat(read(get().addColumn(G, null))).isEmpty();
  }

  @Test
  void aFamilyThatDoesNotExist() {
    assertThatThrownBy(() -> table.get(get().addFamily(toBytes("unknown"))))
        .isInstanceOf(NoSuchColumnFamilyException.class)
        .hasMessageContaining("unknown");
    assertThatThrownBy(() -> table.scan(new Scan().addFamily(toBytes("unknown"))))
        .isInstanceOf(NoSuchColumnFamilyException.class);
  }

  @Test
  void versions() throws IOException {
    Get column = get().addColumn(F, toBytes("a"));
    assertThat(read(new Get(column).readVersions(2))).containsExactly("r/f:a@4=a4", "r/f:a@3=a3");
    assertThat(read(new Get(column).readAllVersions()))
        .containsExactly("r/f:a@4=a4", "r/f:a@3=a3", "r/f:a@2=a2", "r/f:a@1=a1");
    assertThat(read(get().readVersions(100))).hasSize(10);
    assertThatThrownBy(() -> get().readVersions(0)).isInstanceOf(IOException.class);
  }

  @Test
  void timeRanges() throws IOException {
    assertThat(read(get().setTimeRange(2, 4).readAllVersions()))
        .containsExactly(
            "r/f:@2=no qualifier",
            "r/f:a@3=a3",
            "r/f:a@2=a2",
            "r/f:b@3=b3",
            "r/g:x@2=x2",
            "r/g:y@3=");
    assertThat(read(get().setTimeRange(0, 3)))
        .containsExactly("r/f:@2=no qualifier", "r/f:a@2=a2", "r/g:x@2=x2");
    assertThat(read(get().setTimeRange(6, Long.MAX_VALUE))).isEmpty();
    assertThat(read(get().setTimeRange(3, 3))).as("nothing is in an empty range").isEmpty();
    assertThatThrownBy(() -> get().setTimeRange(3, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> get().setTimeRange(-1, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void oneTimestamp() throws IOException {
    assertThat(read(get().setTimestamp(3))).containsExactly("r/f:a@3=a3", "r/f:b@3=b3", "r/g:y@3=");
    assertThat(read(get().addColumn(F, toBytes("a")).setTimestamp(2)))
        .containsExactly("r/f:a@2=a2");
    assertThat(read(get().setTimestamp(9))).isEmpty();
  }

  @Test
  void aTimeRangeOfOneFamily() throws IOException {
    assertThat(read(get().setColumnFamilyTimeRange(F, 1, 3).readAllVersions()))
        .containsExactly(
            "r/f:@2=no qualifier",
            "r/f:a@2=a2",
            "r/f:a@1=a1",
            "r/g:x@5=x5",
            "r/g:x@2=x2",
            "r/g:y@3=");
    assertThat(
            read(
                get()
                    .setTimeRange(3, 5)
                    .setColumnFamilyTimeRange(G, 0, 3)
                    .addColumn(F, toBytes("a"))
                    .addFamily(G)
                    .readAllVersions()))
        .as("its own range goes before the one for all")
        .containsExactly("r/f:a@4=a4", "r/f:a@3=a3", "r/g:x@2=x2");
    assertThat(read(get().addFamily(F).setColumnFamilyTimeRange(G, 0, 1)))
        .as("a range of a family that is not asked for")
        .hasSize(4);
  }

  @Test
  void limitAndOffsetWithinAFamily() throws IOException {
    assertThat(read(get().setMaxResultsPerColumnFamily(2)))
        .containsExactly("r/f:@2=no qualifier", "r/f:a@4=a4", "r/g:x@5=x5", "r/g:y@3=");
    assertThat(read(get().setMaxResultsPerColumnFamily(2).setRowOffsetPerColumnFamily(1)))
        .containsExactly("r/f:a@4=a4", "r/f:b@3=b3", "r/g:y@3=");
    assertThat(read(get().addFamily(F).readAllVersions().setMaxResultsPerColumnFamily(3)))
        .containsExactly("r/f:@2=no qualifier", "r/f:a@4=a4", "r/f:a@3=a3");
    assertThat(
            read(
                get()
                    .addFamily(F)
                    .readAllVersions()
                    .setMaxResultsPerColumnFamily(3)
                    .setRowOffsetPerColumnFamily(2)))
        .containsExactly("r/f:a@3=a3", "r/f:a@2=a2", "r/f:a@1=a1");
    assertThat(read(get().setMaxResultsPerColumnFamily(5).setRowOffsetPerColumnFamily(4)))
        .isEmpty();
  }

  @Test
  void whatWasDeletedIsNotReturned() throws IOException {
    Get gone = new Get(GONE).readAllVersions();
    assertThat(read(gone)).containsExactly("gone/k:z@7=z7");
    assertThat(read(new Get(gone).setTimeRange(0, 2)))
        .as("before the marker, of a family that keeps deleted cells")
        .containsExactly("gone/k:q@1=q1");
    assertThat(read(new Get(gone).setTimeRange(0, 5))).isEmpty();
  }

  @Test
  void rawScansReturnMarkersAndWhatTheyHide() throws IOException {
    Scan raw = new Scan().withStartRow(GONE).withStopRow(GONE, true).setRaw(true);
    String[] all = {
      "gone/k:@4 DeleteFamilyVersion",
      "gone/k:p@3 Delete",
      "gone/k:p@3=p3",
      "gone/k:q@4=q4",
      "gone/k:q@2 DeleteColumn",
      "gone/k:q@2=q2",
      "gone/k:q@1=q1",
      "gone/k:z@7=z7"
    };
    assertThat(table.scan(new Scan(raw).readAllVersions())).containsExactly(all);
    assertThat(table.scan(new Scan(raw).readAllVersions().addFamily(K))).containsExactly(all);
    assertThat(table.scan(new Scan(raw).readAllVersions().setReversed(true))).containsExactly(all);
    assertThat(table.scan(new Scan(raw).readAllVersions().setTimeRange(0, 3)))
        .containsExactly("gone/k:q@2 DeleteColumn", "gone/k:q@2=q2", "gone/k:q@1=q1");
  }

  @Test
  void aRawScanOfSingleColumns() {
    Scan raw = new Scan().addColumn(K, toBytes("q")).setRaw(true);
    assertThatThrownBy(() -> table.scan(raw))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot specify any column for a raw scan");
  }

  @Test
  void resultsCanBeAskedForValuesAndColumns() throws IOException {
    Result result = table.table().get(get().readAllVersions());
    assertThat(result.containsColumn(F, toBytes("a"))).isTrue();
    assertThat(result.containsNonEmptyColumn(G, toBytes("x"))).isTrue();
    assertThat(result.containsEmptyColumn(G, toBytes("y"))).isTrue();
    assertThat(result.getValue(G, toBytes("y"))).isEmpty();
    assertThat(result.getColumnLatestCell(F, toBytes("a")).getTimestamp()).isEqualTo(4);
    assertThat(result.getMap().get(F).get(toBytes("a"))).containsOnlyKeys(4L, 3L, 2L, 1L);
  }

  @Test
  void severalGetsAtOnce() throws IOException {
    List<Get> gets =
        List.of(
            new Get(GONE),
            get().addColumn(F, toBytes("a")).setTimestamp(2),
            new Get(toBytes("never")),
            get().addFamily(G));
    Result[] results = table.table().get(gets);
    assertThat(TestTable.cells(results[0])).containsExactly("gone/k:z@7=z7");
    assertThat(TestTable.cells(results[1])).containsExactly("r/f:a@2=a2");
    assertThat(results[2].isEmpty()).isTrue();
    assertThat(results[2].getRow()).isNull();
    assertThat(results[3].size()).isEqualTo(2);
  }

  @Test
  void existence() throws IOException {
    assertThat(
            table
                .table()
                .exists(
                    List.of(
                        get(),
                        new Get(toBytes("never")),
                        get().addColumn(F, toBytes("none")),
                        get().setTimestamp(5),
                        get().setTimeRange(6, 9),
                        new Get(GONE).setTimeRange(0, 5))))
        .containsExactly(true, false, false, true, false, false);
    Result only = table.table().get(get().setCheckExistenceOnly(true));
    assertThat(only.getExists()).isTrue();
    assertThat(only.isEmpty()).as("no cell is sent").isTrue();
  }
}
