package dev.cairn.interop.filter;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FilterList.Operator;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Expects the answers of Apache HBase 2.6.4 where its evaluation of filters may surprise programs:
 * a reversed scan with a list of filters that skip to columns, and versions in a raw scan.
 */
class ReversedListTest {
  private static final byte[] FAMILY = toBytes("f");

  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  /** Returns the columns of two equal rows, in the order of the scan. */
  private static List<String> columns(TestTable table, Operator operator, Filter... filters)
      throws IOException {
    List<String> rows = new ArrayList<>();
    for (boolean reversed : new boolean[] {false, true}) {
      Scan scan =
          new Scan().setReversed(reversed).setFilter(new FilterList(operator, List.of(filters)));
      List<String> found = new ArrayList<>();
      try (ResultScanner scanner = table.table().getScanner(scan)) {
        for (Result row : scanner) {
          StringBuilder text = new StringBuilder(Bytes.toString(row.getRow()) + ":");
          for (Cell cell : row.rawCells()) {
            text.append(' ').append(Bytes.toString(CellUtil.cloneQualifier(cell)));
          }
          found.add(text.toString());
        }
      }
      rows.add(String.join(", ", found));
    }
    return rows;
  }

  /**
   * The list compares the hints in reversed order, also within a row, and so skips to the later
   * column.
   */
  @Test
  void aReversedListLosesWhatIsBeforeTheLaterHint() throws IOException {
    try (TestTable table = SERVER.create("reversedList", "f")) {
      for (String row : List.of("r", "s")) {
        Put put = new Put(toBytes(row));
        for (String column : List.of("a1", "a2", "b1", "b2", "c1")) {
          put.addColumn(FAMILY, toBytes(column), FAMILY);
        }
        table.table().put(put);
      }
      for (int state = 0; state < 2; state++) {
        assertThat(columns(table, Operator.MUST_PASS_ONE, prefix("a"), prefix("c")))
            .containsExactly("r: a1 a2 c1, s: a1 a2 c1", "s: a1 a2, r: a1 a2");
        assertThat(columns(table, Operator.MUST_PASS_ONE, prefix("b"), prefix("c")))
            .containsExactly("r: b1 b2 c1, s: b1 b2 c1", "");
        assertThat(
                columns(
                    table,
                    Operator.MUST_PASS_ONE,
                    new ColumnRangeFilter(toBytes("a2"), true, toBytes("b1"), true),
                    new ColumnRangeFilter(toBytes("c"), true, toBytes("d"), true)))
            .containsExactly("r: a2 b1 c1, s: a2 b1 c1", "");
        assertThat(
                columns(
                    table,
                    Operator.MUST_PASS_ONE,
                    new MultipleColumnPrefixFilter(new byte[][] {toBytes("b2"), toBytes("c")}),
                    prefix("a2")))
            .containsExactly("r: a2 b2 c1, s: a2 b2 c1", "");
        assertThat(
                columns(
                    table,
                    Operator.MUST_PASS_ONE,
                    new ColumnPaginationFilter(1, toBytes("b2")),
                    prefix("a")))
            .containsExactly("r: a1 a2 b2, s: a1 a2 b2", "s: a1 a2, r: a1 a2");
        assertThat(
                columns(
                    table,
                    Operator.MUST_PASS_ONE,
                    prefix("b"),
                    new QualifierFilter(
                        CompareOperator.EQUAL, new BinaryComparator(toBytes("a1")))))
            .containsExactly("r: a1 b1 b2, s: a1 b1 b2", "s: a1, r: a1");
        assertThat(columns(table, Operator.MUST_PASS_ONE, prefix("b")))
            .as("one filter")
            .containsExactly("r: b1 b2, s: b1 b2", "");
        assertThat(columns(table, Operator.MUST_PASS_ALL, prefix("b")))
            .as("one filter of a list of the other kind")
            .containsExactly("r: b1 b2, s: b1 b2", "s: b1 b2, r: b1 b2");
        table.flush();
      }
    }
  }

  @Test
  void aRawScanWithAFilterCountsMarkersAsVersions() throws IOException {
    try (TestTable table = SERVER.create("rawVersions", "f")) {
      byte[] row = toBytes("r");
      table.table().put(new Put(row).addColumn(FAMILY, toBytes("b"), 1, FAMILY));
      table.table().delete(new Delete(row).addColumns(FAMILY, toBytes("b"), 2));
      table.table().put(new Put(row).addColumn(FAMILY, toBytes("b"), 3, FAMILY));
      Scan scan = new Scan().setRaw(true).readVersions(2);
      assertThat(types(table, scan)).containsExactly("3 Put", "2 DeleteColumn", "1 Put");
      scan.setFilter(new PrefixFilter(row));
      assertThat(types(table, scan)).containsExactly("3 Put", "2 DeleteColumn");
      assertThat(types(table, scan.readVersions(1))).containsExactly("3 Put");
      assertThat(types(table, scan.readVersions(3)))
          .containsExactly("3 Put", "2 DeleteColumn", "1 Put");
    }
  }

  private static List<String> types(TestTable table, Scan scan) throws IOException {
    List<String> types = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(scan)) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          types.add(cell.getTimestamp() + " " + cell.getType());
        }
      }
    }
    return types;
  }

  private static Filter prefix(String text) {
    return new ColumnPrefixFilter(toBytes(text));
  }
}
