package dev.cairn.server.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.scan.ScanFilter.Decision;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/**
 * Apache's filters, sent through their messages, over a table of rows r1 to r4 with the columns
 * a:x, a:y and b:z, whose values are row and qualifier.
 */
class FilterAdapterTest {
  private static final FilterParser PARSER =
      TestFilters.parser(FilterAdapterTest.class.getClassLoader());

  @Test
  void rowFilters() throws IOException {
    assertThat(rows(new PrefixFilter(b("r2")))).containsExactly("r2");
    assertThat(rows(new InclusiveStopFilter(b("r2")))).containsExactly("r1", "r2");
    assertThat(rows(new PageFilter(3))).containsExactly("r1", "r2", "r3");
    assertThat(rows(new RowFilter(CompareOperator.GREATER, new BinaryComparator(b("r2")))))
        .containsExactly("r3", "r4");
    assertThat(rows(new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("r[24]"))))
        .containsExactly("r2", "r4");
    assertThat(
            rows(
                new MultiRowRangeFilter(
                    new ArrayList<>(
                        List.of(
                            new MultiRowRangeFilter.RowRange("r1", true, "r2", false),
                            new MultiRowRangeFilter.RowRange("r4", true, "r5", false))))))
        .containsExactly("r1", "r4");
    assertThat(
            rows(
                new WhileMatchFilter(
                    new RowFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(b("r3"))))))
        .containsExactly("r1", "r2");
  }

  @Test
  void fuzzyRows() throws IOException {
    Filter filter = new FuzzyRowFilter(List.of(new Pair<>(b("?3"), new byte[] {1, 0})));
    assertThat(rows(filter)).containsExactly("r3");
  }

  @Test
  void columnFilters() throws IOException {
    assertThat(ofRow1(new FirstKeyOnlyFilter())).containsExactly("r1/a:x=r1x");
    assertThat(ofRow1(new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(b("b")))))
        .containsExactly("r1/b:z=r1z");
    assertThat(
            ofRow1(new QualifierFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(b("y")))))
        .containsExactly("r1/a:y=r1y");
    assertThat(ofRow1(new ColumnPrefixFilter(b("y")))).containsExactly("r1/a:y=r1y");
    assertThat(ofRow1(new MultipleColumnPrefixFilter(new byte[][] {b("x"), b("z")})))
        .containsExactly("r1/a:x=r1x", "r1/b:z=r1z");
    assertThat(ofRow1(new ColumnRangeFilter(b("y"), true, b("z"), true)))
        .containsExactly("r1/a:y=r1y", "r1/b:z=r1z");
    assertThat(ofRow1(new ColumnCountGetFilter(2))).containsExactly("r1/a:x=r1x", "r1/a:y=r1y");
    assertThat(ofRow1(new ColumnPaginationFilter(1, 1))).containsExactly("r1/a:y=r1y");
    assertThat(ofRow1(new TimestampsFilter(List.of(2L)))).containsExactly("r1/a:y=r1y");
    assertThat(ofRow1(new ValueFilter(CompareOperator.EQUAL, new SubstringComparator("1z"))))
        .containsExactly("r1/b:z=r1z");
    assertThat(
            ofRow1(
                new ColumnValueFilter(
                    b("a"), b("y"), CompareOperator.EQUAL, new BinaryComparator(b("r1y")))))
        .containsExactly("r1/a:y=r1y");
  }

  @Test
  void aFilterMayReplaceWhatIsReturned() throws IOException {
    assertThat(ofRow1(new KeyOnlyFilter())).containsExactly("r1/a:x=", "r1/a:y=", "r1/b:z=");
    assertThat(ofRow1(new KeyOnlyFilter(true)))
        .containsExactly(
            "r1/a:x=\\x00\\x00\\x00\\x03",
            "r1/a:y=\\x00\\x00\\x00\\x03",
            "r1/b:z=\\x00\\x00\\x00\\x03");
    assertThat(ofRow1(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter())))
        .containsExactly("r1/a:x=");
  }

  @Test
  void filtersThatJudgeWholeRows() throws IOException {
    SingleColumnValueFilter isRow2 =
        new SingleColumnValueFilter(b("a"), b("y"), CompareOperator.EQUAL, b("r2y"));
    assertThat(cells(isRow2)).containsExactly("r2/a:x=r2x", "r2/a:y=r2y", "r2/b:z=r2z");
    SingleColumnValueFilter missing =
        new SingleColumnValueFilter(b("a"), b("q"), CompareOperator.EQUAL, b("r2y"));
    assertThat(rows(missing)).hasSize(4);
    missing.setFilterIfMissing(true);
    assertThat(rows(missing)).isEmpty();
    assertThat(
            cells(
                new SingleColumnValueExcludeFilter(
                    b("a"), b("y"), CompareOperator.EQUAL, b("r2y"))))
        .containsExactly("r2/a:x=r2x", "r2/b:z=r2z");
    assertThat(
            rows(
                new SkipFilter(
                    new ValueFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(b("r3y"))))))
        .containsExactly("r1", "r2", "r4");
    assertThat(ofRow1(new DependentColumnFilter(b("a"), b("y")))).containsExactly("r1/a:y=r1y");
  }

  @Test
  void lists() throws IOException {
    Filter row2 = new PrefixFilter(b("r2"));
    Filter columnY = new ColumnPrefixFilter(b("y"));
    assertThat(cells(new FilterList(FilterList.Operator.MUST_PASS_ALL, row2, columnY)))
        .containsExactly("r2/a:y=r2y");
    assertThat(cells(new FilterList(FilterList.Operator.MUST_PASS_ONE, row2, columnY)))
        .containsExactly(
            "r1/a:y=r1y", "r2/a:x=r2x", "r2/a:y=r2y", "r2/b:z=r2z", "r3/a:y=r3y", "r4/a:y=r4y");
    assertThat(
            cells(
                new FilterList(
                    FilterList.Operator.MUST_PASS_ONE,
                    new ColumnPaginationFilter(1, 0),
                    new ColumnPrefixFilter(b("z")))))
        .containsExactly(
            "r1/a:x=r1x",
            "r1/b:z=r1z",
            "r2/a:x=r2x",
            "r2/b:z=r2z",
            "r3/a:x=r3x",
            "r3/b:z=r3z",
            "r4/a:x=r4x",
            "r4/b:z=r4z");
  }

  @Test
  void aUsersFilterMayKeepWhatItWasShown() throws IOException {
    Keeper keeper = new Keeper();
    FilterAdapter adapter = new FilterAdapter(keeper, false);
    Cell flyweight = new Cell();
    for (Cell cell : table()) {
      flyweight.set(cell);
      adapter.filterCell(flyweight);
    }
    assertThat(keeper.kept.get(0).toString()).startsWith("r1/a:x/");
    assertThat(keeper.kept.get(11).toString()).startsWith("r4/b:z/");
  }

  @Test
  void stockFiltersAreShownCellsWithoutACopy() throws IOException {
    FilterAdapter adapter = new FilterAdapter(new FirstKeyOnlyFilter(), false);
    Cell cell = table().get(0);
    assertThat(adapter.filterCell(cell)).isEqualTo(Decision.INCLUDE);
    assertThat(adapter.transform(cell)).isSameAs(cell);
  }

  @Test
  void unknownClassesAreRefusedByName() {
    assertThatThrownBy(() -> PARSER.filter(message("com.example.NoFilter")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("com.example.NoFilter");
    assertThatThrownBy(() -> PARSER.filter(message("java.lang.String")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("java.lang.String is no filter");
  }

  @Test
  void noCodeOfAnotherClassRuns() {
    String name = Trap.class.getName();
    FilterProtos.Filter list =
        message(
            FilterList.class.getName(),
            FilterProtos.FilterList.newBuilder()
                .setOperator(FilterProtos.FilterList.Operator.MUST_PASS_ALL)
                .addFilters(message(name))
                .build());
    assertThatThrownBy(() -> PARSER.filter(message(name)))
        .isInstanceOf(DoNotRetryIOException.class);
    assertThatThrownBy(() -> PARSER.filter(list)).isInstanceOf(DoNotRetryIOException.class);
    assertThat(System.getProperty("cairn.test.trap")).isNull();
  }

  @Test
  void garbageInAMessageIsRefused() {
    FilterProtos.Filter garbage =
        FilterProtos.Filter.newBuilder()
            .setName(PageFilter.class.getName())
            .setSerializedFilter(ByteString.copyFrom(new byte[] {-1, -1, -1}))
            .build();
    assertThatThrownBy(() -> PARSER.filter(garbage))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("PageFilter");
  }

  /** Remembers every cell; looks like a user's own filter. */
  static final class Keeper extends FilterBase {
    final List<org.apache.hadoop.hbase.Cell> kept = new ArrayList<>();

    @Override
    public ReturnCode filterCell(org.apache.hadoop.hbase.Cell cell) {
      kept.add(cell);
      return ReturnCode.INCLUDE;
    }
  }

  /** Must not be initialized. */
  static final class Trap {
    static {
      System.setProperty("cairn.test.trap", "sprung");
    }
  }

  private static FilterProtos.Filter message(String name) {
    return FilterProtos.Filter.newBuilder().setName(name).build();
  }

  private static FilterProtos.Filter message(String name, FilterProtos.FilterList body) {
    return FilterProtos.Filter.newBuilder()
        .setName(name)
        .setSerializedFilter(body.toByteString())
        .build();
  }

  private static List<String> ofRow1(Filter filter) throws IOException {
    return cells(filter).stream().filter(text -> text.startsWith("r1/")).toList();
  }

  private static List<String> rows(Filter filter) throws IOException {
    return cells(filter).stream().map(text -> text.substring(0, 2)).distinct().toList();
  }

  /** Walks through the table as a region's scan does. */
  private static List<String> cells(Filter filter) throws IOException {
    FilterAdapter adapter = new FilterAdapter(PARSER.filter(ProtobufUtil.toFilter(filter)), false);
    TreeMap<String, List<Cell>> byRow = new TreeMap<>();
    for (Cell cell : table()) {
      byRow.computeIfAbsent(Bytes.utf8(cell.row()), row -> new ArrayList<>()).add(cell);
    }
    List<String> returned = new ArrayList<>();
    Cell[] soughtRow = new Cell[1];
    for (List<Cell> row : byRow.values()) {
      if (soughtRow[0] != null && CellComparator.USER.compareRows(row.get(0), soughtRow[0]) < 0) {
        continue;
      }
      adapter.reset();
      if (adapter.filterAllRemaining()) {
        break;
      }
      if (adapter.filterRowKey(row.get(0))) {
        continue;
      }
      CellBuffer taken = takeRow(adapter, row, soughtRow);
      taken = adapter.filterRowCells(taken);
      if (taken.isEmpty() || adapter.filterRow()) {
        continue;
      }
      for (int i = 0; i < taken.size(); i++) {
        returned.add(text(taken.get(i)));
      }
    }
    return returned;
  }

  /** As in HBase, "next row" ends the row within its family only: each family has its own store. */
  private static CellBuffer takeRow(FilterAdapter adapter, List<Cell> row, Cell[] soughtRow)
      throws IOException {
    CellBuffer taken = new CellBuffer();
    Cell flyweight = new Cell();
    Cell doneWith = null;
    Cell sought = null;
    for (Cell cell : row) {
      if (adapter.filterAllRemaining()) {
        break;
      }
      boolean passedOver =
          (doneWith != null && cell.sameFamily(doneWith))
              || (sought != null && CellComparator.USER.compare(cell, sought) < 0);
      if (passedOver) {
        continue;
      }
      flyweight.set(cell);
      Decision decision = adapter.filterCell(flyweight);
      switch (decision) {
        case INCLUDE, INCLUDE_AND_NEXT_COLUMN -> taken.add(adapter.transform(flyweight));
        case INCLUDE_AND_NEXT_ROW -> {
          taken.add(adapter.transform(flyweight));
          doneWith = cell;
        }
        case SKIP, NEXT_COLUMN -> {}
        case NEXT_ROW -> doneWith = cell;
        case SEEK_TO_HINT -> {
          sought = adapter.hint(flyweight).orElse(null);
          soughtRow[0] = sought;
        }
      }
    }
    return taken;
  }

  private static String text(Cell cell) {
    return Bytes.utf8(cell.row())
        + "/"
        + Bytes.utf8(cell.family())
        + ":"
        + Bytes.utf8(cell.qualifier())
        + "="
        + Bytes.toStringBinary(cell.value());
  }

  private static List<Cell> table() {
    List<Cell> cells = new ArrayList<>();
    for (int row = 1; row <= 4; row++) {
      cells.add(Cell.put(b("r" + row), b("a"), b("x"), 1, b("r" + row + "x")));
      cells.add(Cell.put(b("r" + row), b("a"), b("y"), 2, b("r" + row + "y")));
      cells.add(Cell.put(b("r" + row), b("b"), b("z"), 3, b("r" + row + "z")));
    }
    return cells;
  }

  private static byte[] b(String text) {
    return Bytes.utf8(text);
  }
}
