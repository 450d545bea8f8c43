package dev.cairn.server.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ScanFilter;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Users' filters that do what they should not, and messages that describe none. */
class BadFilterTest {
  private static final FilterParser PARSER =
      TestFilters.parser(BadFilterTest.class.getClassLoader());
  private static final Cell CELL =
      Cell.put(Bytes.utf8("row"), Bytes.utf8("f"), Bytes.utf8("q"), 1, Bytes.utf8("value"));

  /** Fails in each method in its own way. */
  private static final class Failing extends FilterBase {
    @Override
    public void reset() throws IOException {
      throw new IOException("no reset");
    }

    @Override
    public boolean filterRowKey(org.apache.hadoop.hbase.Cell cell) {
      throw new IllegalStateException("no key");
    }

    @Override
    public ReturnCode filterCell(org.apache.hadoop.hbase.Cell cell) {
      throw new AssertionError("no cell");
    }

    @Override
    public org.apache.hadoop.hbase.Cell transformCell(org.apache.hadoop.hbase.Cell cell) {
      return transformCell(cell);
    }

    @Override
    public org.apache.hadoop.hbase.Cell getNextCellHint(org.apache.hadoop.hbase.Cell cell) {
      throw new NoClassDefFoundError("user/Missing");
    }

    @Override
    public boolean filterAllRemaining() throws IOException {
      throw new DoNotRetryIOException("as it is");
    }

    @Override
    public boolean filterRow() {
      throw new ArrayIndexOutOfBoundsException(7);
    }

    @Override
    public boolean hasFilterRow() {
      return true;
    }

    @Override
    public void filterRowCells(List<org.apache.hadoop.hbase.Cell> cells) {
      cells.add(null);
    }

    @Override
    public boolean isFamilyEssential(byte[] family) {
      throw new UnsupportedOperationException("no family");
    }
  }

  @Test
  void whateverAFilterThrowsNamesIt() throws IOException {
    ScanFilter filter = new FilterAdapter(new Failing(), false);
    CellBuffer row = new CellBuffer();
    row.add(CELL);
    fails("reset", filter::reset, "no reset");
    fails("filterRowKey", () -> filter.filterRowKey(CELL), "no key");
    fails("filterCell", () -> filter.filterCell(CELL), "no cell");
    fails("transformCell", () -> filter.transform(CELL), "StackOverflowError");
    fails("getNextCellHint", () -> filter.hint(CELL), "user/Missing");
    fails("filterRow", filter::filterRow, "7");
    fails("filterRowCells", () -> filter.filterRowCells(row), "NullPointerException");
    fails("isFamilyEssential", () -> filter.isFamilyEssential(new byte[1]), "no family");
    assertThatThrownBy(filter::filterAllRemaining)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("as it is");
  }

  private static void fails(
      String method, org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String reason) {
    assertThatThrownBy(call)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(Failing.class.getName())
        .hasMessageContaining(" in " + method)
        .hasMessageContaining(reason);
  }

  @Test
  void nullIsNoAnswer() throws IOException {
    Filter nothing =
        new FilterBase() {
          @Override
          public ReturnCode filterCell(org.apache.hadoop.hbase.Cell cell) {
            return null;
          }

          @Override
          public org.apache.hadoop.hbase.Cell transformCell(org.apache.hadoop.hbase.Cell cell) {
            return null;
          }
        };
    ScanFilter filter = new FilterAdapter(nothing, false);
    assertThatThrownBy(() -> filter.filterCell(CELL))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("returned null from filterCell");
    assertThatThrownBy(() -> filter.transform(CELL))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("returned null from transformCell");
  }

  @Test
  @SuppressWarnings("deprecation")
  void filtersOfTheOldStyleAreAsked() throws IOException {
    Filter old =
        new FilterBase() {
          @Override
          public ReturnCode filterKeyValue(org.apache.hadoop.hbase.Cell cell) {
            return ReturnCode.NEXT_ROW;
          }
        };
    assertThat(new FilterAdapter(old, false).filterCell(CELL))
        .isEqualTo(ScanFilter.Decision.NEXT_ROW);
  }

  /** Has no parseFrom of its own. */
  public static final class Unreadable extends FilterBase {}

  /** Its parseFrom returns nothing. */
  public static final class Absent extends FilterBase {
    /** Makes none. */
    public static Filter parseFrom(byte[] bytes) throws DeserializationException {
      return null;
    }
  }

  @Test
  void messagesThatMakeNoFilterAreRefusedByName() {
    refused(message(Unreadable.class.getName(), new byte[0]), "Unreadable");
    refused(message(Absent.class.getName(), new byte[0]), "Absent");
    refused(message("../../etc/passwd", new byte[0]), "../../etc/passwd");
    refused(message("", new byte[0]), "filter");
    for (String name :
        List.of(
            "ColumnCountGetFilter",
            "ColumnPaginationFilter",
            "ColumnRangeFilter",
            "FilterList",
            "FuzzyRowFilter",
            "InclusiveStopFilter",
            "KeyOnlyFilter",
            "MultiRowRangeFilter",
            "MultipleColumnPrefixFilter",
            "PageFilter",
            "PrefixFilter",
            "RandomRowFilter",
            "RowFilter",
            "ValueFilter",
            "QualifierFilter",
            "FamilyFilter",
            "SkipFilter",
            "WhileMatchFilter",
            "SingleColumnValueFilter",
            "SingleColumnValueExcludeFilter",
            "ColumnValueFilter",
            "DependentColumnFilter",
            "TimestampsFilter")) {
      refused(message("org.apache.hadoop.hbase.filter." + name, new byte[] {-1, -1, -1, 7}), name);
    }
  }

  @Test
  void filtersWithinFiltersHaveAnEnd() throws IOException {
    FilterProtos.Filter message = ProtobufUtil.toFilter(new FilterList());
    for (int i = 0; i < 5000; i++) {
      message =
          message(
              SkipFilter.class.getName(),
              FilterProtos.SkipFilter.newBuilder().setFilter(message).build().toByteArray());
    }
    refused(message, "more than 100 deep");
  }

  @Test
  void comparatorsSeeTheValueAlone() throws IOException {
    byte[] block = Bytes.utf8("xxv3xx");
    for (RegexStringComparator.EngineType engine : RegexStringComparator.EngineType.values()) {
      assertThat(
              PARSER
                  .comparator(
                      ProtobufUtil.toComparator(new RegexStringComparator("^v[0-9]$", engine)))
                  .compareTo(block, 2, 2))
          .isZero();
    }
    var component =
        PARSER.comparator(
            ProtobufUtil.toComparator(new BinaryComponentComparator(Bytes.utf8("3x"), 1)));
    assertThat(component.compareTo(block, 2, 3)).isZero();
    assertThat(component.compareTo(block, 2, 2)).as("the value ends before").isPositive();
    assertThat(component.compareTo(block, 2, 0)).as("there is no value").isPositive();
    assertThat(
            PARSER.filter(
                ProtobufUtil.toFilter(
                    new ValueFilter(CompareOperator.EQUAL, new RegexStringComparator("v")))))
        .isInstanceOf(ValueFilter.class);
  }

  private static void refused(FilterProtos.Filter message, String named) {
    assertThatThrownBy(() -> PARSER.filter(message))
        .as(named)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(named);
  }

  private static FilterProtos.Filter message(String name, byte[] body) {
    return FilterProtos.Filter.newBuilder()
        .setName(name)
        .setSerializedFilter(ByteString.copyFrom(body))
        .build();
  }
}
