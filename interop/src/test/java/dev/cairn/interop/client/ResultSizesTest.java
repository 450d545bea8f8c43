package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In which pieces a scan's cells come: by batch, by size, by caching. Rows of 25 (in two families),
 * 1 and 10 cells, the last in a region of its own.
 */
@ParameterizedClass
@EnumSource(State.class)
class ResultSizesTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] F = toBytes("f");
  private static final byte[] G = toBytes("g");
  private static final int VALUE_BYTES = 100;

  private static TestTable table;

  @Parameter State state;

  @BeforeParameterizedClassInvocation
  static void fill(State state) throws Exception {
    table =
        SERVER.create(
            "sizes",
            new byte[][] {toBytes("r3")},
            ColumnFamilyDescriptorBuilder.of(F),
            ColumnFamilyDescriptorBuilder.of(G));
    state.write(
        table,
        wide("r1", F, 0, 10),
        wide("r1", G, 0, 5),
        wide("r2", F, 0, 1),
        wide("r1", F, 10, 20),
        wide("r3", F, 0, 10));
  }

  @AfterParameterizedClassInvocation
  static void close() throws IOException {
    table.close();
  }

  private static Put wide(String row, byte[] family, int from, int to) {
    Put put = new Put(toBytes(row));
    for (int i = from; i < to; i++) {
      put.addColumn(family, toBytes("q%02d".formatted(i)), 1, new byte[VALUE_BYTES]);
    }
    return put;
  }

  /** Returns what came, piece by piece: row, number of cells, and a plus if more may come. */
  private static List<String> pieces(Scan scan) throws IOException {
    List<String> pieces = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        pieces.add(
            Bytes.toString(result.getRow())
                + " "
                + result.size()
                + (result.mayHaveMoreCellsInRow() ? "+" : ""));
      }
    }
    return pieces;
  }

  @Test
  void wholeRowsUnlessPartsAreAskedFor() throws IOException {
    for (int bytes : new int[] {1, 500, 5_000, 1 << 20}) {
      for (int caching : new int[] {1, 2, 100}) {
        Scan scan = new Scan().setMaxResultSize(bytes).setCaching(caching);
        assertThat(pieces(scan)).as("%s", scan).containsExactly("r1 25", "r2 1", "r3 10");
        assertThat(pieces(scan.setReversed(true))).containsExactly("r3 10", "r2 1", "r1 25");
      }
    }
  }

  @Test
  void partsAreAsLongWhetherFiguresAreAskedForOrNot() throws IOException {
    for (int bytes : new int[] {1, 500, 1_000, 2_000}) {
      Scan parts = new Scan().setMaxResultSize(bytes).setAllowPartialResults(true);
      List<String> measured = pieces(new Scan(parts).setScanMetricsEnabled(true));
      assertThat(measured.get(0)).endsWith("+");
      assertThat(pieces(parts)).as("%s", parts).isEqualTo(measured);
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "3", "5", "7", "10", "24", "25", "26", "100"})
  void batches(int batch) throws IOException {
    List<String> expected = new ArrayList<>();
    int[] sizes = {25, 1, 10};
    for (int row = 0; row < sizes.length; row++) {
      for (int left = sizes[row]; left > 0; left -= batch) {
        expected.add("r" + (row + 1) + " " + Math.min(batch, left));
      }
    }
    for (int bytes : new int[] {500, 1 << 20}) {
      Scan scan = new Scan().setBatch(batch).setMaxResultSize(bytes);
      assertThat(withoutFlags(pieces(scan))).isEqualTo(expected);
      assertThat(withoutFlags(pieces(new Scan(scan).setCaching(2)))).isEqualTo(expected);
    }
  }

  private static List<String> withoutFlags(List<String> pieces) {
    return pieces.stream().map(piece -> piece.replace("+", "")).toList();
  }

  @Test
  void aBatchTellsWhetherMoreOfTheRowMayCome() throws IOException {
    assertThat(pieces(new Scan().setBatch(10)))
        .containsExactly("r1 10+", "r1 10+", "r1 5", "r2 1", "r3 10");
    assertThat(pieces(new Scan().setBatch(5)))
        .containsExactly("r1 5+", "r1 5+", "r1 5+", "r1 5+", "r1 5", "r2 1", "r3 5+", "r3 5");
    assertThat(pieces(new Scan().setBatch(5).setReversed(true)))
        .containsExactly("r3 5+", "r3 5", "r2 1", "r1 5+", "r1 5+", "r1 5+", "r1 5+", "r1 5");
  }

  @Test
  void batchesOfSomeColumns() throws IOException {
    assertThat(pieces(new Scan().addFamily(G).setBatch(2)))
        .containsExactly("r1 2+", "r1 2+", "r1 1");
    assertThat(
            withoutFlags(
                pieces(
                    new Scan()
                        .setBatch(3)
                        .setFilter(
                            new ColumnRangeFilter(toBytes("q02"), true, toBytes("q06"), true)))))
        .containsExactly("r1 3", "r1 3", "r1 2", "r3 3", "r3 2");
    assertThat(withoutFlags(pieces(new Scan().setBatch(3).setMaxResultsPerColumnFamily(4))))
        .containsExactly("r1 3", "r1 3", "r1 2", "r2 1", "r3 3", "r3 1");
  }

  @Test
  void aLimitCountsRowsNotBatches() throws IOException {
    assertThat(withoutFlags(pieces(new Scan().setBatch(10).setLimit(1))))
        .containsExactly("r1 10", "r1 10", "r1 5");
    // Apache's client counts rows wrongly, and asserts so, where a batch is no divisor of a row.
    assertThat(withoutFlags(pieces(new Scan().setBatch(5).setLimit(2))))
        .containsExactly("r1 5", "r1 5", "r1 5", "r1 5", "r1 5", "r2 1");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 300, 800, 2_000, 100_000})
  void partsOfRowsBySize(int bytes) throws IOException {
    for (boolean reversed : new boolean[] {false, true}) {
      Scan scan =
          new Scan().setMaxResultSize(bytes).setAllowPartialResults(true).setReversed(reversed);
      List<String> cells = table.scan(scan);
      assertThat(cells).isEqualTo(table.scan(new Scan().setReversed(reversed)));
      List<String> pieces = pieces(scan);
      assertThat(pieces.size()).isGreaterThanOrEqualTo(bytes < 1_000 ? 6 : 3);
      for (int i = 0; i < pieces.size(); i++) {
        boolean goesOn =
            i + 1 < pieces.size()
                && pieces.get(i + 1).substring(0, 2).equals(pieces.get(i).substring(0, 2));
        assertThat(pieces.get(i).endsWith("+")).as("%s of %s", i, pieces).isEqualTo(goesOn);
      }
    }
  }

  @Test
  void partsAndBatchesTogether() throws IOException {
    for (int batch : new int[] {1, 4, 10}) {
      for (int bytes : new int[] {1, 700, 3_000}) {
        Scan scan = new Scan().setBatch(batch).setMaxResultSize(bytes).setAllowPartialResults(true);
        assertThat(table.scan(scan)).isEqualTo(table.scan(new Scan()));
        assertThat(withoutFlags(pieces(scan)))
            .allSatisfy(
                piece -> assertThat(Integer.parseInt(piece.substring(3))).isBetween(1, batch));
      }
    }
  }

  @Test
  void aFilterThatJudgesWholeRowsTakesNoBatch() throws IOException {
    SingleColumnValueFilter wholeRow =
        new SingleColumnValueFilter(
            F, toBytes("q05"), CompareOperator.EQUAL, new byte[VALUE_BYTES]);
    wholeRow.setFilterIfMissing(true);
    assertThat(pieces(new Scan().setFilter(wholeRow))).containsExactly("r1 25", "r3 10");
    assertThat(pieces(new Scan().setFilter(wholeRow).setMaxResultSize(1)))
        .containsExactly("r1 25", "r3 10");
    assertThat(pieces(new Scan().setFilter(wholeRow).setAllowPartialResults(true)))
        .containsExactly("r1 25", "r3 10");
    assertThatThrownBy(() -> new Scan().setFilter(wholeRow).setBatch(2))
        .hasMessageContaining("filter.hasFilterRow");
  }
}
