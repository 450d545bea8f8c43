package dev.cairn.interop.sidebyside;

import dev.cairn.engine.index.TableIndexes;
import dev.cairn.torture.model.Swarm.Feature;
import dev.cairn.torture.model.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/**
 * Draws filters, alone and in lists.
 *
 * @param requests draws rows, columns and values
 */
record RandomSieve(RandomRequests requests) {
  private static final List<CompareOperator> OPERATORS =
      List.of(
          CompareOperator.LESS,
          CompareOperator.LESS_OR_EQUAL,
          CompareOperator.EQUAL,
          CompareOperator.NOT_EQUAL,
          CompareOperator.GREATER_OR_EQUAL,
          CompareOperator.GREATER);

  private RandomGenerator random() {
    return requests.random();
  }

  /** Returns an operator that compares. */
  CompareOperator operator() {
    return OPERATORS.get(random().nextInt(OPERATORS.size()));
  }

  /**
   * Returns a filter.
   *
   * @param rowFilters whether it may take back a row, which goes with neither batch nor raw
   */
  Sieve sieve(boolean rowFilters) {
    return switch (random().nextInt(8)) {
      case 0, 1 -> list(rowFilters);
      case 2 -> rowFilters ? wrapped() : cells(true);
      case 3 -> rowFilters ? ofRows() : cells(true);
      default -> cells(true);
    };
  }

  private Sieve list(boolean rowFilters) {
    FilterList.Operator operator =
        random().nextBoolean()
            ? FilterList.Operator.MUST_PASS_ALL
            : FilterList.Operator.MUST_PASS_ONE;
    List<Sieve> parts = new ArrayList<>();
    for (int i = 1 + random().nextInt(3); i > 0; i--) {
      boolean nested = random().nextInt(5) == 0;
      parts.add(
          nested
              ? list(rowFilters)
              : rowFilters && random().nextInt(3) == 0 ? ofRows() : cells(false));
    }
    return new Sieve(
        operator + "" + parts,
        () -> new FilterList(operator, parts.stream().map(part -> part.maker().get()).toList()));
  }

  private Sieve wrapped() {
    Sieve inner = cells(false);
    return random().nextBoolean()
        ? new Sieve("Skip(" + inner + ")", () -> new SkipFilter(inner.maker().get()))
        : new Sieve("While(" + inner + ")", () -> new WhileMatchFilter(inner.maker().get()));
  }

  /** Returns a filter that goes by whole rows. */
  Sieve ofRows() {
    String family = requests.familyName();
    String column = requests.column();
    List<TableIndexes.Column> indexed =
        requests.schema().indexes().all().stream()
            .flatMap(index -> index.columns().stream())
            .toList();
    if (!indexed.isEmpty() && random().nextInt(3) > 0) { // the first ones; some may stay
      TableIndexes.Column drawn = indexed.get(random().nextInt(indexed.size()));
      family = Text.of(drawn.family());
      column = Text.of(drawn.qualifier());
    }
    return ofRows(family, column);
  }

  private Sieve ofRows(String family, String column) {
    String value = requests.shortValue();
    CompareOperator operator = operator();
    boolean missing =
        random().nextBoolean()
            || requests.swarm().has(Feature.INDEXES) && random().nextBoolean(); // indexes serve it
    // HBase shows older versions of the column without a qualifier to the filter.
    boolean latest = random().nextBoolean() || column.isEmpty();
    boolean exclude = random().nextInt(3) == 0;
    return new Sieve(
        "Single%s(%s:%s %s %s missing %s latest %s)"
            .formatted(
                exclude ? "Exclude" : "",
                family,
                Text.show(column),
                operator,
                Text.show(value),
                missing,
                latest),
        () -> {
          SingleColumnValueFilter filter =
              exclude
                  ? new SingleColumnValueExcludeFilter(
                      Text.bytes(family), Text.bytes(column), operator, Text.bytes(value))
                  : new SingleColumnValueFilter(
                      Text.bytes(family), Text.bytes(column), operator, Text.bytes(value));
          filter.setFilterIfMissing(missing);
          filter.setLatestVersionOnly(latest);
          return filter;
        });
  }

  /**
   * Returns a filter that goes by cells or rows, and perhaps by what it has seen of others.
   *
   * @param alone whether it sees all, and not only what others let pass
   */
  private Sieve cells(boolean alone) {
    CompareOperator operator = operator();
    // PrefixFilter looks beyond the end of a row that is shorter, at the length of the family.
    String row = requests.row().replace("\0", "").replace("\u0001", "");
    String column = requests.column();
    String other = requests.column();
    String value = requests.shortValue();
    int number = 1 + random().nextInt(3);
    // HBase does not leave the column without a qualifier when a filter tells it to.
    return switch (requests.has().emptyQualifiers()
        ? 5 + random().nextInt(10)
        : random().nextInt(15)) {
      case 0 -> of("ColumnPrefix " + Text.show(column), () -> new ColumnPrefixFilter(b(column)));
      case 1 ->
          of(
              "ColumnPrefixes " + Text.show(column) + " " + Text.show(other + "x"),
              () -> new MultipleColumnPrefixFilter(new byte[][] {b(column), b(other + "x")}));
      case 2 -> {
        boolean from = random().nextBoolean();
        boolean to = random().nextBoolean();
        yield of(
            "ColumnRange %s %s %s %s".formatted(Text.show(column), from, Text.show(other), to),
            () -> new ColumnRangeFilter(b(column), from, b(other), to));
      }
      case 3 ->
          // In HBase it ends a scan family by family.
          alone && requests.schema().families().size() == 1
              ? of("ColumnCount " + number, () -> new ColumnCountGetFilter(number))
              : of(
                  "Value " + operator + " prefix v1",
                  () -> new ValueFilter(operator, new BinaryPrefixComparator(b("v1"))));
      case 4 -> {
        int offset = random().nextInt(3);
        yield of(
            "ColumnPagination " + number + " from " + offset,
            () -> new ColumnPaginationFilter(number, offset));
      }
      case 5 ->
          of(
              "Qualifier " + operator + " " + Text.show(column),
              () -> new QualifierFilter(operator, new BinaryComparator(b(column))));
      case 6 ->
          of(
              "Value " + operator + " " + Text.show(value),
              () -> new ValueFilter(operator, new BinaryComparator(b(value))));
      case 7 -> {
        CompareOperator equal =
            random().nextBoolean() ? CompareOperator.EQUAL : CompareOperator.NOT_EQUAL;
        yield of(
            "Value " + equal + " substring " + number,
            () -> new ValueFilter(equal, new SubstringComparator("" + number)));
      }
      case 8 -> {
        String family = requests.familyName();
        yield of(
            "Family " + operator + " " + family,
            () -> new FamilyFilter(operator, new BinaryComparator(b(family))));
      }
      case 9 -> of("FirstKeyOnly", FirstKeyOnlyFilter::new);
      case 10 -> {
        boolean length = random().nextBoolean();
        yield of("KeyOnly " + length, () -> new KeyOnlyFilter(length));
      }
      case 11 ->
          alone
              ? of("Page " + number, () -> new PageFilter(number))
              : of("Prefix r1", () -> new PrefixFilter(b("r1")));
      case 12 -> of("Prefix " + Text.show(row), () -> new PrefixFilter(b(row)));
      case 13 -> of("InclusiveStop " + Text.show(row), () -> new InclusiveStopFilter(b(row)));
      default ->
          of(
              "Row " + operator + " prefix " + Text.show(row),
              () -> new RowFilter(operator, new BinaryPrefixComparator(b(row))));
    };
  }

  private static Sieve of(String text, Supplier<Filter> maker) {
    return new Sieve(text, maker);
  }

  private static byte[] b(String text) {
    return Text.bytes(text);
  }
}
