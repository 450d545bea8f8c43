package dev.cairn.server.filter;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.condition.ValueRanges;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.SubstringComparator;

/**
 * The byte strings that pass a comparison of HBase's filters.
 *
 * <ul>
 *   <li>{@code BinaryComparator}: a point, its complement, or the strings on one side of it.
 *   <li>{@code BinaryPrefixComparator} compares the beginning of a string: as above, with the
 *       strings that have the prefix in place of the point.
 *   <li>{@code LongComparator}: the numbers on a side are one or two ranges of eight bytes, because
 *       negative numbers are after positive ones in the order of bytes. The ranges contain longer
 *       strings, too. The comparator fails on any string that does not have eight bytes.
 *   <li>{@code NullComparator}: no stored string is null; so all pass, or none does.
 *   <li>For any other comparator, and for {@code NO_OP}: all strings may pass.
 * </ul>
 */
final class ComparedValues {
  /** HBase's comparators and their replacements: the result depends on the compared bytes alone. */
  private static final Set<Class<? extends ByteArrayComparable>> STOCK =
      Set.of(
          BigDecimalComparator.class,
          BinaryComparator.class,
          BinaryComponentComparator.class,
          BinaryPrefixComparator.class,
          BitComparator.class,
          ExactComparators.Component.class,
          GuardedRegex.class,
          LongComparator.class,
          NullComparator.class,
          RegexStringComparator.class,
          SubstringComparator.class);

  private ComparedValues() {}

  /**
   * Returns a set that contains each string that passes.
   *
   * @param comparator null if the filter has none
   */
  static ValueRanges passing(CompareOperator operator, ByteArrayComparable comparator) {
    if (comparator == null || operator == CompareOperator.NO_OP) {
      return ValueRanges.ALL;
    }
    Class<?> type = comparator.getClass();
    byte[] bytes = comparator.getValue();
    if (type == BinaryComparator.class) {
      return sides(operator, ValueRanges.lessThan(bytes), ValueRanges.of(bytes));
    }
    if (type == BinaryPrefixComparator.class) {
      return sides(operator, ValueRanges.lessThan(bytes), ValueRanges.prefix(bytes));
    }
    if (type == LongComparator.class) {
      return longs(operator, Bytes.getLong(bytes, 0));
    }
    if (type == NullComparator.class) {
      // Null is greater than each string.
      return sides(operator, ValueRanges.ALL, ValueRanges.NONE);
    }
    return ValueRanges.ALL;
  }

  /** Tells whether a comparator is one of HBase's own, or null. */
  static boolean isStock(ByteArrayComparable comparator) {
    return comparator == null || STOCK.contains(comparator.getClass());
  }

  /**
   * Tells whether a comparison may fail, depending on the value.
   *
   * @param comparator null if the filter has none
   */
  static boolean mayFail(CompareOperator operator, ByteArrayComparable comparator) {
    if (comparator == null || operator == CompareOperator.NO_OP) {
      return (comparator == null) != (operator == CompareOperator.NO_OP);
    }
    return comparator.getClass() == LongComparator.class
        || comparator.getClass() == BigDecimalComparator.class;
  }

  /**
   * Returns the strings that pass, of a comparator that divides all strings into three sets.
   *
   * @param less the strings that are less than the comparator's value
   * @param equal the strings that are equal to it
   */
  private static ValueRanges sides(CompareOperator operator, ValueRanges less, ValueRanges equal) {
    return switch (operator) {
      case LESS -> less;
      case LESS_OR_EQUAL -> less.union(equal);
      case EQUAL -> equal;
      case NOT_EQUAL -> equal.complement();
      case GREATER_OR_EQUAL -> less.complement();
      case GREATER -> less.union(equal).complement();
      case NO_OP -> ValueRanges.ALL;
    };
  }

  private static ValueRanges longs(CompareOperator operator, long value) {
    return switch (operator) {
      case LESS -> value == Long.MIN_VALUE ? ValueRanges.NONE : between(Long.MIN_VALUE, value - 1);
      case LESS_OR_EQUAL -> between(Long.MIN_VALUE, value);
      case EQUAL -> between(value, value);
      case NOT_EQUAL -> ValueRanges.of(Bytes.ofLong(value)).complement();
      case GREATER_OR_EQUAL -> between(value, Long.MAX_VALUE);
      case GREATER ->
          value == Long.MAX_VALUE ? ValueRanges.NONE : between(value + 1, Long.MAX_VALUE);
      case NO_OP -> ValueRanges.ALL;
    };
  }

  /** Returns the strings between those of two numbers, which are included. */
  private static ValueRanges between(long least, long greatest) {
    if (least < 0 && greatest >= 0) {
      return between(least, -1).union(between(0, greatest));
    }
    return ValueRanges.between(Bytes.ofLong(least), true, Bytes.ofLong(greatest), true);
  }
}
