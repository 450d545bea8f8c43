package dev.cairn.interop.filter;

import static dev.cairn.interop.filter.TwoServers.DECIMALS;
import static dev.cairn.interop.filter.TwoServers.LONGS;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FilterList.Operator;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FirstKeyValueMatchingQualifiersFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Every stock filter and comparator, over the data of {@link TwoServers}, by a name to print. */
final class FilterCases {
  private static final CompareOperator EQUAL = CompareOperator.EQUAL;
  private static final CompareOperator NOT_EQUAL = CompareOperator.NOT_EQUAL;

  private final Map<String, Supplier<Filter>> cases = new LinkedHashMap<>();

  private FilterCases() {}

  /** Returns the filters; each call of a supplier makes a new one, since filters have state. */
  static Map<String, Supplier<Filter>> all() {
    FilterCases cases = new FilterCases();
    cases.rows();
    cases.columns();
    cases.values();
    cases.comparators();
    cases.lists();
    return cases.cases;
  }

  private void rows() {
    add("prefix", () -> new PrefixFilter(b("bb")));
    add("prefix of nothing", () -> new PrefixFilter(b("zz")));
    add("inclusive stop", () -> new InclusiveStopFilter(b("ca11")));
    add("page", () -> new PageFilter(3));
    add("page of none", () -> new PageFilter(0));
    for (CompareOperator operator : CompareOperator.values()) {
      add("row " + operator, () -> new RowFilter(operator, new BinaryComparator(b("bb22"))));
    }
    add("fuzzy", () -> fuzzy("?a1?", "1001"));
    add("fuzzy at the end", () -> fuzzy("??22", "1100"));
    add("fuzzy without holes", () -> fuzzy("cb22", "0000"));
    add("fuzzy of two", () -> new FuzzyRowFilter(List.of(rule("a?1?", "0101"), rule("?d", "10"))));
    add("ranges", () -> ranges("ab", true, "bb", false, "ca12", false, "r0", true));
    add("one row range", () -> ranges("ca11", true, "ca11", true));
    add("prefixes", () -> new MultiRowRangeFilter(new byte[][] {b("aa"), b("c"), b("r0")}));
    add("random always", () -> new RandomRowFilter(2));
    add("random never", () -> new RandomRowFilter(-1));
    add("key only", () -> new KeyOnlyFilter());
    add("key only with length", () -> new KeyOnlyFilter(true));
    add("first key only", FirstKeyOnlyFilter::new);
  }

  private void columns() {
    add("first matching qualifiers", FilterCases::firstMatching);
    for (CompareOperator operator : CompareOperator.values()) {
      add("family " + operator, () -> new FamilyFilter(operator, new BinaryComparator(b("b"))));
      add(
          "qualifier " + operator,
          () -> new QualifierFilter(operator, new BinaryComparator(b("q2"))));
    }
    add("column prefix", () -> new ColumnPrefixFilter(b("q")));
    add(
        "column prefixes",
        () -> new MultipleColumnPrefixFilter(new byte[][] {b("z"), b("p"), b("qq")}));
    add("column range", () -> new ColumnRangeFilter(b("p1"), true, b("q5"), false));
    add("open column range", () -> new ColumnRangeFilter(null, false, b("qq1"), true));
    add("column range to the end", () -> new ColumnRangeFilter(b("q1"), false, null, true));
    add("column count", () -> new ColumnCountGetFilter(3));
    add("pagination", () -> new ColumnPaginationFilter(2, 1));
    add("pagination by column", () -> new ColumnPaginationFilter(2, b("q1")));
    add("pagination of none", () -> new ColumnPaginationFilter(0, 0));
    add("timestamps", () -> new TimestampsFilter(List.of(2L, 5L, 9L)));
    add("timestamps with hint", () -> new TimestampsFilter(List.of(2L, 5L), true));
    add("no timestamps", () -> new TimestampsFilter(List.of()));
    for (boolean drop : new boolean[] {false, true}) {
      add("dependent column, drop " + drop, () -> new DependentColumnFilter(b("a"), b("x"), drop));
      add(
          "dependent column with value, drop " + drop,
          () ->
              new DependentColumnFilter(
                  b("a"), b("x"), drop, NOT_EQUAL, new BinaryPrefixComparator(b("v1"))));
    }
  }

  private void values() {
    for (CompareOperator operator : CompareOperator.values()) {
      add("value " + operator, () -> new ValueFilter(operator, new BinaryComparator(b("v2"))));
      add(
          "column value " + operator,
          () -> new ColumnValueFilter(b("a"), b("x"), operator, b("v2")));
    }
    for (boolean missing : new boolean[] {false, true}) {
      for (boolean latest : new boolean[] {false, true}) {
        String how = ", if missing " + missing + ", latest " + latest;
        add(
            "single value" + how,
            () ->
                single(
                    new SingleColumnValueFilter(b("c"), b("x"), NOT_EQUAL, b("v3")),
                    missing,
                    latest));
        add(
            "single value in front" + how,
            () ->
                single(
                    new SingleColumnValueFilter(b("a"), b("p1"), NOT_EQUAL, b("v3")),
                    missing,
                    latest));
        add(
            "single value excluded" + how,
            () ->
                single(
                    new SingleColumnValueExcludeFilter(b("b"), b("x"), NOT_EQUAL, b("v3")),
                    missing,
                    latest));
      }
    }
    add("skip", () -> new SkipFilter(new ValueFilter(NOT_EQUAL, new BinaryComparator(b("v4")))));
    add(
        "skip by column",
        () -> new SkipFilter(new QualifierFilter(NOT_EQUAL, new BinaryComparator(b("p3")))));
    add(
        "while row",
        () -> new WhileMatchFilter(new RowFilter(NOT_EQUAL, new BinaryComparator(b("ca12")))));
    add(
        "while value",
        () -> new WhileMatchFilter(new ValueFilter(NOT_EQUAL, new BinaryComparator(b("v4")))));
    add("while fuzzy", () -> new WhileMatchFilter(fuzzy("?a1?", "1001")));
  }

  private void comparators() {
    value("binary prefix", EQUAL, () -> new BinaryPrefixComparator(b("v")));
    add(
        "component",
        () -> number(LONGS, EQUAL, new BinaryComponentComparator(new byte[] {0, 3}, 6)));
    add("long", () -> number(LONGS, CompareOperator.GREATER_OR_EQUAL, new LongComparator(1)));
    add(
        "decimal",
        () ->
            number(
                DECIMALS,
                CompareOperator.GREATER,
                new BigDecimalComparator(new BigDecimal("1.5"))));
    value("null", EQUAL, NullComparator::new);
    value("not null", NOT_EQUAL, NullComparator::new);
    for (BitComparator.BitwiseOp operator : BitComparator.BitwiseOp.values()) {
      value("bits " + operator, EQUAL, () -> new BitComparator(b("v3"), operator));
    }
    value("substring", EQUAL, () -> new SubstringComparator("V2"));
    value("regex", EQUAL, () -> new RegexStringComparator("v[1-3]"));
    value("regex not", NOT_EQUAL, () -> charset(new RegexStringComparator("^v.$", 0)));
  }

  private void lists() {
    for (Operator operator : Operator.values()) {
      list(operator, "nothing", () -> List.of());
      list(
          operator,
          "row and column",
          () -> List.of(new PrefixFilter(b("ca")), new ColumnPrefixFilter(b("q"))));
      list(
          operator,
          "hints",
          () ->
              List.of(
                  new ColumnPrefixFilter(b("qq")),
                  new ColumnRangeFilter(b("p3"), true, b("z"), false),
                  new MultipleColumnPrefixFilter(new byte[][] {b("x"), b("p")})));
      list(
          operator,
          "row hints",
          () ->
              List.of(
                  fuzzy("?a1?", "1001"), ranges("ab", true, "cb", false, "r", true, "r1", true)));
      list(
          operator,
          "transforms",
          () -> List.of(new KeyOnlyFilter(true), new ColumnPrefixFilter(b("q"))));
      list(
          operator,
          "first key and transform",
          () -> List.of(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
      list(
          operator,
          "judges",
          () ->
              List.of(
                  single(
                      new SingleColumnValueFilter(b("a"), b("x"), NOT_EQUAL, b("v3")), true, true),
                  new DependentColumnFilter(b("c"), b("p0"))));
      list(
          operator,
          "judge and columns",
          () ->
              List.of(
                  single(
                      new SingleColumnValueExcludeFilter(b("a"), b("x"), NOT_EQUAL, b("v3")),
                      true,
                      true),
                  new ColumnPrefixFilter(b("z"))));
      list(operator, "pages", () -> List.of(new PageFilter(2), new ColumnPaginationFilter(2, 0)));
      list(
          operator,
          "timestamps",
          () ->
              List.of(
                  new TimestampsFilter(List.of(3L, 7L), true),
                  new QualifierFilter(NOT_EQUAL, new BinaryComparator(b("q1")))));
      list(
          operator,
          "skip and while",
          () ->
              List.of(
                  new SkipFilter(new ValueFilter(NOT_EQUAL, new BinaryComparator(b("v5")))),
                  new WhileMatchFilter(
                      new RowFilter(CompareOperator.LESS, new BinaryComparator(b("da"))))));
      for (Operator inner : Operator.values()) {
        list(
            operator,
            "nested " + inner,
            () ->
                List.of(
                    new FilterList(
                        inner,
                        new PrefixFilter(b("c")),
                        new FilterList(
                            operator,
                            new ColumnCountGetFilter(2),
                            new ValueFilter(EQUAL, new SubstringComparator("v")))),
                    new QualifierFilter(CompareOperator.GREATER, new BinaryComparator(b("p")))));
      }
    }
  }

  private void add(String name, Supplier<Filter> filter) {
    if (cases.put(name, filter) != null) {
      throw new IllegalStateException("Twice: " + name);
    }
  }

  private void value(
      String name, CompareOperator operator, Supplier<ByteArrayComparable> comparator) {
    add("value " + name, () -> new ValueFilter(operator, comparator.get()));
  }

  private void list(Operator operator, String name, Supplier<List<Filter>> members) {
    add(operator + " " + name, () -> new FilterList(operator, new ArrayList<>(members.get())));
  }

  private static Filter number(
      byte[] column, CompareOperator operator, ByteArrayComparable comparator) {
    byte[] family = b(column == LONGS ? "a" : "b");
    return new ColumnValueFilter(family, column, operator, comparator);
  }

  private static Filter single(SingleColumnValueFilter filter, boolean missing, boolean latest) {
    filter.setFilterIfMissing(missing);
    filter.setLatestVersionOnly(latest);
    return filter;
  }

  // HBase discourages the class, and answers it.
  @SuppressWarnings("deprecation")
  private static Filter firstMatching() {
    TreeSet<byte[]> qualifiers = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    qualifiers.add(b("q1"));
    qualifiers.add(b("x"));
    return new FirstKeyValueMatchingQualifiersFilter(qualifiers);
  }

  private static RegexStringComparator charset(RegexStringComparator comparator) {
    comparator.setCharset(StandardCharsets.ISO_8859_1);
    return comparator;
  }

  private static Filter ranges(Object... parts) {
    List<RowRange> ranges = new ArrayList<>();
    for (int i = 0; i < parts.length; i += 4) {
      ranges.add(
          new RowRange(
              (String) parts[i],
              (boolean) parts[i + 1],
              (String) parts[i + 2],
              (boolean) parts[i + 3]));
    }
    return new MultiRowRangeFilter(ranges);
  }

  private static Filter fuzzy(String row, String mask) {
    return new FuzzyRowFilter(List.of(rule(row, mask)));
  }

  static Pair<byte[], byte[]> rule(String row, String mask) {
    byte[] holes = new byte[mask.length()];
    for (int i = 0; i < holes.length; i++) {
      holes[i] = (byte) (mask.charAt(i) - '0');
    }
    return new Pair<>(b(row), holes);
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }
}
