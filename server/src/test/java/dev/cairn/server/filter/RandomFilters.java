package dev.cairn.server.filter;

import dev.cairn.engine.cell.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
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
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
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
import org.apache.hadoop.hbase.util.Pair;

/** Draws trees of filters, and the rows, columns, values and timestamps that they are about. */
final class RandomFilters {
  static final String[] FAMILIES = {"f", "g"};
  private static final String[] QUALIFIERS = {"", "a", "ab", "b"};
  private static final byte[][] VALUES = {{}, {0}, {'a'}, {'a', 0}, {'a', 'b'}, {-1}, {-1, -1}};
  private static final long[] NUMBERS = {Long.MIN_VALUE, -1, 0, 256, Long.MAX_VALUE};
  private static final int TIMES = 6;

  private final Random random;
  private final long firstTimestamp;

  private final List<Dependent> dependents;

  /** Filters whose answers depend on the rows that they were shown before. */
  enum Dependent {
    FUZZY,
    PAGE,
    COLUMN_COUNT,
    RANDOM,
    WHILE,
    SKIP,
    USERS
  }

  /**
   * Creates a source of filters.
   *
   * @param firstTimestamp cells have timestamps from this one
   * @param dependents which filters trees contain whose answers depend on earlier rows
   */
  RandomFilters(Random random, long firstTimestamp, List<Dependent> dependents) {
    this.random = random;
    this.firstTimestamp = firstTimestamp;
    this.dependents = dependents;
  }

  /** Draws a row: one letter, or two of which the second may be a border byte. */
  byte[] row() {
    byte[] second = {0, 'a', 'c', (byte) 0xFF};
    byte first = (byte) ('a' + random.nextInt(3));
    return random.nextInt(3) == 0
        ? new byte[] {first}
        : new byte[] {first, second[random.nextInt(second.length)]};
  }

  byte[] family() {
    return Bytes.utf8(FAMILIES[random.nextInt(FAMILIES.length)]);
  }

  byte[] qualifier() {
    return Bytes.utf8(QUALIFIERS[random.nextInt(QUALIFIERS.length)]);
  }

  /** Draws a value; those of one qualifier are numbers, mostly. */
  byte[] value(byte[] qualifier) {
    return qualifier.length == 2 && random.nextInt(200) > 0
        ? Bytes.ofLong(number())
        : VALUES[random.nextInt(VALUES.length)];
  }

  private long number() {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }

  long timestamp() {
    return firstTimestamp + random.nextInt(TIMES);
  }

  /** Draws a tree. Most of them are an AND with a filter that tells something. */
  Filter tree() {
    if (!dependents.isEmpty() && random.nextInt(4) == 0) {
      return random.nextBoolean()
          ? new FilterList(dependent(), telling())
          : new FilterList(telling(), dependent());
    }
    return switch (random.nextInt(10)) {
      case 0, 1 -> new FilterList(telling(), tree(2));
      case 2 -> new FilterList(tree(2), telling());
      case 3 -> new FilterList(rowRange(), telling());
      case 4 -> new FilterList(telling(), other());
      case 6 -> new FilterList(telling(), or(new FilterList(other(), rowRange()), telling()));
      case 7 -> new FilterList(rowRange(), telling(), rowRange());
      case 5 -> new FilterList(tree(1), telling(), new PageFilter(1 + random.nextInt(3)));
      default -> tree(3);
    };
  }

  private static Filter or(Filter... members) {
    return new FilterList(FilterList.Operator.MUST_PASS_ONE, members);
  }

  /**
   * Draws a tree.
   *
   * @param depth the number of levels of lists and wrappers, at most
   */
  private Filter tree(int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return random.nextInt(3) > 0 ? telling() : other();
    }
    List<Filter> members = new ArrayList<>();
    for (int i = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(3); i > 0; i--) {
      members.add(tree(depth - 1));
    }
    return new FilterList(
        random.nextInt(3) > 0
            ? FilterList.Operator.MUST_PASS_ALL
            : FilterList.Operator.MUST_PASS_ONE,
        members);
  }

  /** Draws a filter that tells something about values or columns. */
  private Filter telling() {
    byte[] family = family();
    byte[] qualifier = qualifier();
    return switch (random.nextInt(7)) {
      case 0, 1, 2 -> {
        boolean excludes = random.nextInt(4) == 0;
        SingleColumnValueFilter filter =
            excludes
                ? new SingleColumnValueExcludeFilter(
                    family, qualifier, operator(), comparator(qualifier))
                : new SingleColumnValueFilter(family, qualifier, operator(), comparator(qualifier));
        filter.setFilterIfMissing(random.nextInt(4) > 0);
        filter.setLatestVersionOnly(random.nextBoolean());
        yield filter;
      }
      case 3 -> new ColumnValueFilter(family, qualifier, operator(), comparator(qualifier));
      case 4 -> new ValueFilter(operator(), comparator(qualifier()));
      case 5 -> new QualifierFilter(operator(), stringComparator(qualifier));
      default -> new FamilyFilter(operator(), stringComparator(family));
    };
  }

  private Filter other() {
    return switch (random.nextInt(dependents.isEmpty() ? 11 : 16)) {
      case 0 -> new ColumnPrefixFilter(Bytes.utf8("a"));
      case 1 -> new MultipleColumnPrefixFilter(new byte[][] {Bytes.utf8("ab"), Bytes.utf8("b")});
      case 2 -> new ColumnRangeFilter(qualifier(), random.nextBoolean(), null, false);
      case 3 -> new ColumnPaginationFilter(1 + random.nextInt(2), random.nextInt(2));
      case 4 -> new FirstKeyOnlyFilter();
      case 5 -> new KeyOnlyFilter(random.nextBoolean());
      case 6 -> new TimestampsFilter(List.of(timestamp(), timestamp()), random.nextBoolean());
      case 7 -> new RowFilter(operator(), stringComparator(row()));
      case 8 ->
          random.nextBoolean()
              ? new DependentColumnFilter(family(), qualifier(), random.nextBoolean())
              : new DependentColumnFilter(
                  family(), qualifier(), false, operator(), stringComparator(value(row())));
      case 9, 10 -> rowRange();
      default -> dependent();
    };
  }

  private Filter rowRange() {
    return switch (random.nextInt(4)) {
      case 0 -> new InclusiveStopFilter(row());
      case 1 -> rowRanges();
      default -> new PrefixFilter(row());
    };
  }

  /** Draws a filter whose answers depend on the rows that it was shown before. */
  private Filter dependent() {
    return switch (dependents.get(random.nextInt(dependents.size()))) {
      case FUZZY ->
          new FuzzyRowFilter(
              new ArrayList<>(List.of(new Pair<>(new byte[] {0, row()[0]}, new byte[] {1, 0}))));
      case PAGE -> new PageFilter(1 + random.nextInt(3));
      case COLUMN_COUNT -> new ColumnCountGetFilter(1 + random.nextInt(3));
      case RANDOM -> new RandomRowFilter(random.nextFloat());
      case WHILE -> new WhileMatchFilter(tree(1));
      case SKIP -> new SkipFilter(tree(1));
      case USERS -> new EverySecondRow();
    };
  }

  private Filter rowRanges() {
    List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
    for (byte letter = 'a'; letter < 'd'; letter += (byte) (1 + random.nextInt(3))) {
      ranges.add(
          new MultiRowRangeFilter.RowRange(
              new byte[] {letter},
              random.nextBoolean(),
              new byte[] {letter, 'b'},
              random.nextBoolean()));
    }
    return new MultiRowRangeFilter(ranges);
  }

  private CompareOperator operator() {
    CompareOperator[] all = CompareOperator.values();
    CompareOperator drawn = all[random.nextInt(all.length)];
    return random.nextInt(3) == 0 || drawn == CompareOperator.NO_OP && random.nextInt(4) > 0
        ? CompareOperator.EQUAL
        : drawn;
  }

  /** Draws a comparator for values of a column. */
  private ByteArrayComparable comparator(byte[] qualifier) {
    return qualifier.length == 2
        ? new LongComparator(number())
        : stringComparator(VALUES[random.nextInt(VALUES.length)]);
  }

  private ByteArrayComparable stringComparator(byte[] near) {
    return switch (random.nextInt(14)) {
      case 0, 1 -> new BinaryPrefixComparator(near);
      case 2 -> new NullComparator();
      case 3 -> new SubstringComparator("a");
      case 4 -> new RegexStringComparator("[ab]");
      case 5 -> new BinaryComponentComparator(near, random.nextInt(2));
      case 6 -> new BitComparator(near, BitComparator.BitwiseOp.XOR);
      case 7 ->
          !dependents.isEmpty() && random.nextBoolean()
              ? new EverySecondComparison()
              : new BinaryComparator(near);
      default -> new BinaryComparator(near);
    };
  }

  /** Returns a tree of new lists and wrappers, with each other filter replaced. */
  static Filter replace(Filter tree, UnaryOperator<Filter> leaves) {
    if (tree instanceof FilterList list) {
      List<Filter> members = new ArrayList<>();
      list.getFilters().forEach(member -> members.add(replace(member, leaves)));
      return new FilterList(list.getOperator(), members);
    }
    if (tree instanceof SkipFilter skip) {
      return new SkipFilter(replace(skip.getFilter(), leaves));
    }
    return tree instanceof WhileMatchFilter whileMatch
        ? new WhileMatchFilter(replace(whileMatch.getFilter(), leaves))
        : leaves.apply(tree);
  }

  /** A user's filter that takes every second row that it is shown. */
  static final class EverySecondRow extends FilterBase {
    private boolean second;

    @Override
    public boolean filterRowKey(Cell first) {
      second = !second;
      return second;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }

    @Override
    public byte[] toByteArray() {
      return Bytes.EMPTY;
    }

    /** Makes a filter of its message. */
    public static EverySecondRow parseFrom(byte[] message) {
      return new EverySecondRow();
    }
  }

  /** A user's comparator, to which every second value is equal. */
  static final class EverySecondComparison extends ByteArrayComparable {
    private boolean second;

    EverySecondComparison() {
      super(Bytes.EMPTY);
    }

    @Override
    public int compareTo(byte[] value, int offset, int length) {
      second = !second;
      return second ? 0 : 1;
    }

    @Override
    public byte[] toByteArray() {
      return Bytes.EMPTY;
    }

    /** Makes a comparator of its message. */
    public static EverySecondComparison parseFrom(byte[] message) {
      return new EverySecondComparison();
    }
  }
}
