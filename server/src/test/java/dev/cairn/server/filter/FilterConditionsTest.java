package dev.cairn.server.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.scan.condition.ValueRanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.junit.jupiter.api.Test;

/** The conditions of single filters and of lists, as texts. */
class FilterConditionsTest {
  private static final FilterParser PARSER =
      TestFilters.parser(FilterConditionsTest.class.getClassLoader());
  private static final byte[][] VALUES = {
    {}, {0}, {'a'}, {'a', 0}, {'a', 'b'}, {'a', 'b', 'c'}, {'b'}, {-1}, {-1, -1}, {-1, -1, 'a'}
  };

  @Test
  void passingValuesAreThoseThatComparatorsAccept() {
    List<ByteArrayComparable> comparators = new ArrayList<>();
    for (byte[] value : VALUES) {
      comparators.add(new BinaryComparator(value));
      comparators.add(new BinaryPrefixComparator(value));
    }
    comparators.add(new NullComparator());
    for (ByteArrayComparable comparator : comparators) {
      for (CompareOperator operator : CompareOperator.values()) {
        if (operator == CompareOperator.NO_OP) {
          continue;
        }
        ValueRanges passing = ComparedValues.passing(operator, comparator);
        for (byte[] value : VALUES) {
          assertThat(passing.contains(value))
              .as("%s %s %s", Bytes.toStringBinary(value), operator, comparator)
              .isEqualTo(accepts(operator, comparator, value));
        }
      }
    }
  }

  @Test
  void passingNumbersAreThoseThatComparatorsAccept() {
    long[] numbers = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -257, -1, 0, 1, 255, Long.MAX_VALUE};
    for (long wanted : numbers) {
      LongComparator comparator = new LongComparator(wanted);
      for (CompareOperator operator : CompareOperator.values()) {
        ValueRanges passing = ComparedValues.passing(operator, comparator);
        for (long number : numbers) {
          assertThat(passing.contains(Bytes.ofLong(number)))
              .as("%d %s %d", number, operator, wanted)
              .isEqualTo(
                  operator == CompareOperator.NO_OP
                      || accepts(operator, comparator, Bytes.ofLong(number)));
        }
      }
    }
    assertThat(ComparedValues.passing(CompareOperator.LESS, new LongComparator(1)).ranges())
        .hasSize(2);
  }

  @Test
  void otherComparatorsTellThatTheColumnIsThere() throws IOException {
    assertThat(condition(single("a", new SubstringComparator("x"), true)))
        .hasToString("f:a exists");
    assertThat(ComparedValues.passing(CompareOperator.NO_OP, new BinaryComparator(b("x"))).isAll())
        .isTrue();
  }

  @Test
  void aSingleColumnMustBeFilteredIfMissing() throws IOException {
    assertThat(condition(single("a", "x", true))).hasToString("f:a = \"x\"");
    assertThat(condition(single("a", "x", false))).isEqualTo(RowCondition.ANY);
    SingleColumnValueFilter anyVersion = single("a", "x", true);
    anyVersion.setLatestVersionOnly(false);
    assertThat(condition(anyVersion)).hasToString("f:a = \"x\"");
  }

  @Test
  void aColumnThatTheScanDoesNotSelectIsMissing() throws IOException {
    ScanRequest.Builder other = ScanRequest.builder().family(b("f"), FamilySelection.of(b("b")));
    assertThat(condition(single("a", "x", true), other)).isEqualTo(RowCondition.NONE);
    assertThat(condition(single("a", "x", false), other)).hasToString("f:b exists");
    assertThat(
            condition(
                single("a", "x", true), ScanRequest.builder().family(b("g"), FamilySelection.ALL)))
        .isEqualTo(RowCondition.NONE);
  }

  @Test
  void aFilterThatExcludesTheColumnMayNotBeAskedAboutARow() throws IOException {
    SingleColumnValueFilter filter =
        new SingleColumnValueExcludeFilter(b("f"), b("a"), CompareOperator.EQUAL, b("x"));
    filter.setFilterIfMissing(true);
    ScanRequest.Builder onDemand = ScanRequest.builder().loadFamiliesOnDemand(true);
    assertThat(condition(filter)).hasToString("f:a = \"x\"");
    assertThat(condition(filter, onDemand)).isEqualTo(RowCondition.ANY);
    assertThat(condition(new FilterList(filter, column("b", "y")), onDemand))
        .hasToString("f:b = \"y\"");
    assertThat(condition(filter, onDemand.family(b("f"), FamilySelection.ALL)))
        .hasToString("f:a = \"x\"");
  }

  @Test
  void valuesAreOfTheSelectedColumns() throws IOException {
    Filter x = value("x");
    assertThat(condition(x)).isEqualTo(RowCondition.ANY);
    assertThat(condition(x, ScanRequest.builder().family(b("f"), FamilySelection.ALL)))
        .isEqualTo(RowCondition.ANY);
    assertThat(condition(x, ScanRequest.builder().family(b("f"), FamilySelection.of(b("a")))))
        .hasToString("f:a = \"x\"");
    assertThat(
            condition(
                x,
                ScanRequest.builder()
                    .family(b("f"), FamilySelection.of(b("a"), b("b")))
                    .family(b("g"), FamilySelection.of(b("a")))))
        .hasToString("f:a = \"x\" or f:b = \"x\" or g:a = \"x\"");
    // One family without a choice of columns is enough to say nothing.
    assertThat(
            condition(
                x,
                ScanRequest.builder()
                    .family(b("f"), FamilySelection.of(b("a")))
                    .family(b("g"), FamilySelection.ALL)))
        .isEqualTo(RowCondition.ANY);
  }

  @Test
  void qualifiersAreOfTheSelectedFamily() throws IOException {
    Filter a = new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(b("a")));
    ScanRequest.Builder family = ScanRequest.builder().family(b("f"), FamilySelection.ALL);
    assertThat(condition(a)).isEqualTo(RowCondition.ANY);
    assertThat(condition(a, family)).hasToString("f:a exists");
    assertThat(condition(new FilterList(a, value("x")), family)).hasToString("f:a = \"x\"");
    assertThat(
            condition(
                new FilterList(
                    a,
                    value("x"),
                    new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(b("g"))))))
        .hasToString("g:a = \"x\"");
    assertThat(condition(new ColumnPrefixFilter(b("a")), family)).isEqualTo(RowCondition.ANY);
  }

  @Test
  void listsAskForCellsAndRowsApart() throws IOException {
    Filter x = single("a", "x", true);
    Filter y = single("b", "y", true);
    assertThat(condition(new FilterList(x, y))).hasToString("f:a = \"x\" and f:b = \"y\"");
    assertThat(condition(or(x, y))).hasToString("f:a = \"x\" or f:b = \"y\"");
    assertThat(condition(or(x, single("a", "z", true)))).hasToString("f:a in \"x\" or \"z\"");
    assertThat(condition(or(column("a", "x"), column("b", "y"))))
        .hasToString("f:a = \"x\" or f:b = \"y\"");
    // The first filter takes each cell, the second one keeps each row.
    assertThat(condition(or(x, column("b", "y")))).isEqualTo(RowCondition.ANY);
    assertThat(condition(or(x, single("b", "y", false)))).isEqualTo(RowCondition.ANY);
    // One cell cannot be of two columns.
    assertThat(condition(new FilterList(column("a", "x"), column("b", "y"))))
        .isEqualTo(RowCondition.NONE);
    assertThat(condition(new FilterList(or()))).isEqualTo(RowCondition.ANY);
    assertThat(condition(or(new FilterList()))).isEqualTo(RowCondition.ANY);
  }

  @Test
  void aLongListOfValuesIsOneColumn() throws IOException {
    List<Filter> members = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      members.add(i % 2 == 0 ? column("a", "" + i) : column("b", "" + i));
    }
    RowCondition condition = condition(or(members.toArray(Filter[]::new)));
    assertThat(((RowCondition.AnyOf) condition).parts()).hasSize(2);
  }

  @Test
  void rawScansAndUnknownFiltersHaveNoCondition() throws IOException {
    Filter x = single("a", "x", true);
    assertThat(condition(x, ScanRequest.builder().raw(true))).isEqualTo(RowCondition.ANY);
    Filter subclass =
        new SingleColumnValueFilter(b("f"), b("a"), CompareOperator.EQUAL, b("x")) {
          @Override
          public boolean filterRow() {
            return false;
          }
        };
    assertThat(FilterConditions.of(subclass, ScanRequest.builder().build()))
        .isEqualTo(RowCondition.ANY);
    assertThat(RowIndependence.mayMissRows(subclass)).isFalse();
  }

  @Test
  void rowsMayBeMissedByFiltersThatDoNotRememberThem() throws IOException {
    Filter x = single("a", "x", true);
    Filter prefix = new PrefixFilter(b("ab"));
    assertThat(mayMiss(x)).isTrue();
    assertThat(mayMiss(or(x, column("a", "y")))).isTrue();
    for (Filter other :
        List.of(
            new FilterList(new PageFilter(1)),
            new ColumnCountGetFilter(1),
            new RandomRowFilter(0.5f),
            new SkipFilter(x),
            new WhileMatchFilter(x),
            new RandomFilters.EverySecondRow(),
            new ValueFilter(CompareOperator.EQUAL, new RandomFilters.EverySecondComparison()))) {
      assertThat(mayMiss(new FilterList(x, other))).as(other.toString()).isFalse();
    }
    // As the last one, a page counts only what the others keep.
    assertThat(mayMiss(new FilterList(x, new PageFilter(1)))).isTrue();
    assertThat(mayMiss(new FilterList(new PageFilter(1), x))).isFalse();
    assertThat(mayMiss(or(x, new PageFilter(1)))).isFalse();
    assertThat(mayMiss(new FilterList(x, new FilterList(prefix)))).isTrue();
    assertThat(mayMiss(new FilterList(x, or(prefix)))).isFalse();
    assertThat(mayMiss(new FilterList(x, prefix, new InclusiveStopFilter(b("ab"))))).isFalse();
    // The prefix may send the scan past a row at which another filter fails.
    Filter failing = single("a", new LongComparator(1), true);
    assertThat(mayMiss(new FilterList(failing, prefix))).isFalse();
    assertThat(mayMiss(new FilterList(failing, new InclusiveStopFilter(b("ab"))))).isTrue();
  }

  @Test
  void aPrefixMustNotLeadPastItsRows() throws IOException {
    PrefixFilter zero = new PrefixFilter(new byte[] {'a', 0});
    FilterAdapter adapter = new FilterAdapter(zero, false);
    // The length of the family's name is taken for the second byte of the row.
    adapter.filterRowKey(Cell.put(b("a"), b("f"), b("a"), 1, b("x")));
    assertThat(adapter.filterAllRemaining()).isTrue();
    assertThat(mayMiss(zero)).isFalse();
    PrefixFilter greatest = new PrefixFilter(new byte[] {'a', -1});
    FilterAdapter reversed = new FilterAdapter(greatest, true);
    Cell after = Cell.put(b("b"), b("f"), b("a"), 1, b("x"));
    reversed.filterRowKey(after);
    assertThat(reversed.filterCell(after)).isEqualTo(ScanFilter.Decision.SEEK_TO_HINT);
    assertThat(reversed.hint(after).orElseThrow().row()).isEqualTo(new byte[] {'a', 0});
    assertThat(mayMiss(greatest)).isFalse();
    assertThat(mayMiss(new PrefixFilter(b("\0")))).isTrue();
  }

  private static boolean accepts(
      CompareOperator operator, ByteArrayComparable comparator, byte[] value) {
    int order = -Integer.signum(comparator.compareTo(value));
    return switch (operator) {
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case GREATER_OR_EQUAL -> order >= 0;
      case GREATER -> order > 0;
      case NO_OP -> false;
    };
  }

  private static RowCondition condition(Filter filter) throws IOException {
    return condition(filter, ScanRequest.builder());
  }

  private static RowCondition condition(Filter filter, ScanRequest.Builder request)
      throws IOException {
    return new FilterAdapter(PARSER.filter(ProtobufUtil.toFilter(filter)), false)
        .rowCondition(request.build());
  }

  private static boolean mayMiss(Filter filter) throws IOException {
    return new FilterAdapter(PARSER.filter(ProtobufUtil.toFilter(filter)), false).mayMissRows();
  }

  private static SingleColumnValueFilter single(
      String qualifier, String value, boolean filterIfMissing) {
    return single(qualifier, new BinaryComparator(b(value)), filterIfMissing);
  }

  private static SingleColumnValueFilter single(
      String qualifier, ByteArrayComparable comparator, boolean filterIfMissing) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(b("f"), b(qualifier), CompareOperator.EQUAL, comparator);
    filter.setFilterIfMissing(filterIfMissing);
    return filter;
  }

  private static Filter column(String qualifier, String value) {
    return new ColumnValueFilter(b("f"), b(qualifier), CompareOperator.EQUAL, b(value));
  }

  private static Filter value(String value) {
    return new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b(value)));
  }

  private static FilterList or(Filter... members) {
    return new FilterList(FilterList.Operator.MUST_PASS_ONE, members);
  }

  private static byte[] b(String text) {
    return Bytes.utf8(text);
  }
}
