package dev.cairn.server.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.row.RowScanner;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that scans seek past cells that filters exclude, in both directions, instead of stepping
 * through them. The tests count the cells on which a scan of large tables has stood.
 */
class SeekingFilterTest {
  private static final FilterParser PARSER =
      TestFilters.parser(SeekingFilterTest.class.getClassLoader());

  /** The families, their cells, and what a scan of them has looked at. */
  private static final class Table {
    private final Map<String, List<Cell>> families = new TreeMap<>();
    private final Map<String, CountedCells> read = new TreeMap<>();
    private long returned;

    void put(int row, String family, int column, int version) {
      Cell cell =
          Cell.put(
              Bytes.utf8("%03d".formatted(row)),
              Bytes.utf8(family),
              Bytes.utf8("%04d".formatted(column)),
              version,
              Bytes.utf8("v" + row % 50));
      families.computeIfAbsent(family, name -> new ArrayList<>()).add(cell);
    }

    long cells() {
      return families.values().stream().mapToLong(List::size).sum();
    }

    long looked() {
      return read.values().stream().mapToLong(CountedCells::moves).sum();
    }

    Table scan(Filter filter, boolean reversed) throws IOException {
      return scan(
          ScanRequest.builder()
              .reversed(reversed)
              .loadFamiliesOnDemand(true)
              .maxVersions(Integer.MAX_VALUE)
              .filter(
                  new FilterAdapter(
                      filter instanceof EveryColumnOnce
                          ? filter
                          : PARSER.filter(ProtobufUtil.toFilter(filter)),
                      reversed))
              .build());
    }

    Table scan(ScanRequest request) throws IOException {
      List<StoreSource> sources = new ArrayList<>();
      read.clear();
      families.forEach(
          (name, cells) -> {
            cells.sort(CellComparator.USER);
            CountedCells cursor = new CountedCells(cells);
            read.put(name, cursor);
            FamilySchema schema = FamilySchema.of(name, Map.of("VERSIONS", "1000"));
            sources.add(new StoreSource(schema, List.of(cursor)));
          });
      returned = 0;
      try (RowScanner scanner = new RowScanner(CellComparator.USER, Clock.SYSTEM)) {
        scanner.begin(request, sources, Long.MAX_VALUE, ReadMetrics.unused());
        CellBuffer out = new CellBuffer();
        while (scanner.next(out, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
          returned += out.size();
          out.clear();
        }
      }
      return this;
    }

    /** As many are returned, and a scan looks at those, and for each row at a few more. */
    void returns(long cells, long seeks) {
      assertThat(returned).isEqualTo(cells);
      assertThat(looked()).isLessThanOrEqualTo(cells + seeks).isLessThan(cells() / 5);
    }
  }

  /** Passes over all but the newest version of each column, by NEXT_COL. */
  private static final class EveryColumnOnce extends FilterBase {
    @Override
    public ReturnCode filterCell(org.apache.hadoop.hbase.Cell cell) {
      return ReturnCode.NEXT_COL;
    }
  }

  /** 300 rows of two families with 20 columns. */
  private static Table manyRows() {
    Table table = new Table();
    for (int row = 0; row < 300; row++) {
      for (int column = 0; column < 20; column++) {
        table.put(row, "a", column, 1);
        table.put(row, "b", column, 1);
      }
    }
    return table;
  }

  /** Three rows of two families with 4,000 columns. */
  private static Table wideRows() {
    Table table = new Table();
    for (int row = 0; row < 3; row++) {
      for (int column = 0; column < 4000; column++) {
        table.put(row, "a", column, 1);
        table.put(row, "b", column, 1);
      }
    }
    return table;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowHintsJumpOverRows(boolean reversed) throws IOException {
    Table table = manyRows();
    table.scan(fuzzy(), reversed).returns(3 * 40, 200);
    table.scan(ranges(), reversed).returns(4 * 40, 200);
    table.scan(new PrefixFilter(Bytes.utf8("12")), reversed).returns(10 * 40, 400);
    table.scan(new WhileMatchFilter(new FilterList(ranges(), fuzzy())), reversed);
    assertThat(table.looked()).isLessThan(400);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowHintsJumpOverRowsThatHaveToBeJudgedAsAWhole(boolean reversed) throws IOException {
    Filter judge = valueIs("v42");
    manyRows().scan(new FilterList(fuzzy(), judge), reversed).returns(3 * 40, 200);
    manyRows().scan(new FilterList(judge, ranges()), reversed).returns(0, 400);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void columnHintsJumpWithinWideRows(boolean reversed) throws IOException {
    Table table = wideRows();
    table.scan(new ColumnPrefixFilter(Bytes.utf8("200")), reversed).returns(60, 100);
    table
        .scan(new ColumnRangeFilter(Bytes.utf8("1000"), true, Bytes.utf8("1005"), false), reversed)
        .returns(30, 100);
    byte[][] prefixes = {Bytes.utf8("000"), Bytes.utf8("123"), Bytes.utf8("399")};
    table.scan(new MultipleColumnPrefixFilter(prefixes), reversed).returns(180, 200);
    table
        .scan(
            new FilterList(
                new ColumnPrefixFilter(Bytes.utf8("20")),
                new ColumnRangeFilter(Bytes.utf8("2010"), true, Bytes.utf8("2015"), false)),
            reversed)
        .returns(30, 100);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theRestOfAWideRowIsPassedOver(boolean reversed) throws IOException {
    wideRows().scan(new FirstKeyOnlyFilter(), reversed).returns(3, 100);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theRestOfAColumnIsPassedOver(boolean reversed) throws IOException {
    Table table = new Table();
    for (int column = 0; column < 10; column++) {
      for (int version = 1; version <= 500; version++) {
        table.put(1, "a", column, version);
      }
    }
    table.scan(new EveryColumnOnce(), reversed).returns(0, 100);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void familiesTheFilterDoesNotNeedAreReadForRowsThatPass(boolean reversed) throws IOException {
    for (Filter filter : List.of(valueIs("v42"), new FilterList(valueIs("v42"), valueIs("v42")))) {
      Table table = manyRows();
      table.scan(filter, reversed);
      assertThat(table.returned).isEqualTo(6 * 40);
      assertThat(table.read.get("b").moves()).isLessThan(6 * 30);
    }
    Table table = manyRows();
    table.scan(new WhileMatchFilter(new SkipFilter(valueIs("v42"))), reversed);
    assertThat(table.returned).isZero();
    assertThat(table.read.get("b").moves()).isZero();
  }

  private static Filter valueIs(String value) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            Bytes.utf8("a"), Bytes.utf8("0000"), CompareOperator.EQUAL, Bytes.utf8(value));
    filter.setFilterIfMissing(true);
    return filter;
  }

  /** Rows 042, 142 and 242. */
  private static Filter fuzzy() {
    return new FuzzyRowFilter(
        new ArrayList<>(List.of(new Pair<>(Bytes.utf8("?42"), new byte[] {1, 0, 0}))));
  }

  /** Rows 100 to 101, 200 and 299. */
  private static Filter ranges() {
    return new MultiRowRangeFilter(
        new ArrayList<>(
            Arrays.asList(
                new MultiRowRangeFilter.RowRange("100", true, "102", false),
                new MultiRowRangeFilter.RowRange("200", true, "200", true),
                new MultiRowRangeFilter.RowRange("299", true, "3", true))));
  }
}
