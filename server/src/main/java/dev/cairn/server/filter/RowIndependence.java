package dev.cairn.server.filter;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;

/**
 * Knows the filters of HBase whose answers about a row do not depend on other rows that they were
 * shown, so that a scan may leave out rows.
 *
 * <table>
 *   <caption>Filters</caption>
 *   <tr><th>filter</th><th>rows may be left out</th><th>why</th></tr>
 *   <tr><td>SingleColumnValueFilter, SingleColumnValueExcludeFilter, ColumnValueFilter,
 *     DependentColumnFilter, FirstKeyOnlyFilter, ColumnPaginationFilter</td><td>yes</td>
 *     <td>{@code reset} clears what they have seen of a row</td></tr>
 *   <tr><td>ValueFilter, QualifierFilter, FamilyFilter, RowFilter, TimestampsFilter, KeyOnlyFilter,
 *     ColumnPrefixFilter, MultipleColumnPrefixFilter, ColumnRangeFilter</td><td>yes</td>
 *     <td>they look at one cell, or at the row's key</td></tr>
 *   <tr><td>InclusiveStopFilter, MultiRowRangeFilter, PrefixFilter</td>
 *     <td>one in a tree, within ANDs only</td>
 *     <td>they end the scan after their last row, at the first row that they are shown there. Within
 *     an AND that ends the whole scan, and until then they drop each row. Within an OR, an ended
 *     filter answers unlike one that drops a row. Two of them may send the scan to different
 *     rows. A prefix must not end with 7F or FF, nor have control characters or blanks after its
 *     first byte. Beside MultiRowRangeFilter or PrefixFilter, no filter may fail, as one with a
 *     LongComparator does</td></tr>
 *   <tr><td>FilterList</td><td>as its filters</td><td>{@code reset} clears what it remembers</td></tr>
 *   <tr><td>FuzzyRowFilter</td><td>no</td>
 *     <td>rows that are shorter than its pattern pass, unless an earlier row has sent the scan past
 *     them</td></tr>
 *   <tr><td>ColumnCountGetFilter</td><td>no</td>
 *     <td>a row with too many columns ends the scan of its family</td></tr>
 *   <tr><td>PageFilter</td><td>as the last filter of the outermost AND</td>
 *     <td>it counts the rows that it is asked about. There, it is asked only about rows that all other
 *     filters keep; elsewhere, another filter may still drop the row</td></tr>
 *   <tr><td>RandomRowFilter</td><td>no</td><td>each row takes the next random number</td></tr>
 *   <tr><td>WhileMatchFilter</td><td>no</td><td>a row that does not match ends the scan</td></tr>
 *   <tr><td>SkipFilter</td><td>no</td>
 *     <td>left out, although {@code reset} clears what it remembers, because it does not pass all
 *     calls on to its filter</td></tr>
 *   <tr><td>all others, and those with a user's comparator</td><td>no</td>
 *     <td>their code is unknown</td></tr>
 * </table>
 *
 * <p>Filters are recognized by their exact class, because a user's subclass may do something else.
 */
final class RowIndependence {
  /** Filters whose state is that of one row. */
  static final Set<Class<? extends Filter>> OF_SINGLE_ROWS =
      Set.of(
          ColumnPaginationFilter.class,
          ColumnPrefixFilter.class,
          ColumnRangeFilter.class,
          ColumnValueFilter.class,
          DependentColumnFilter.class,
          FamilyFilter.class,
          FirstKeyOnlyFilter.class,
          KeyOnlyFilter.class,
          MultipleColumnPrefixFilter.class,
          QualifierFilter.class,
          RowFilter.class,
          SingleColumnValueExcludeFilter.class,
          SingleColumnValueFilter.class,
          TimestampsFilter.class,
          ValueFilter.class);

  /** Filters that end the scan after their last row. */
  static final Set<Class<? extends Filter>> OF_ROW_RANGES =
      Set.of(InclusiveStopFilter.class, MultiRowRangeFilter.class, PrefixFilter.class);

  /** Those of them that send the scan to their next row. */
  private static final Set<Class<? extends Filter>> SENDING =
      Set.of(MultiRowRangeFilter.class, PrefixFilter.class);

  private RowIndependence() {}

  /**
   * Tells whether a scan may leave out rows that the filter does not let pass.
   *
   * <p>A filter that sends the scan to its next row does so at the first earlier row that it is
   * shown. If rows are left out, that may be a row that the scan would not have read otherwise; no
   * other filter may fail at it.
   */
  static boolean mayMissRows(Filter filter) {
    List<Filter> members = isAnd(filter) ? ((FilterList) filter).getFilters() : List.of(filter);
    int last = members.size() - 1;
    boolean pages = last >= 0 && members.get(last).getClass() == PageFilter.class;
    return areIndependent(pages ? members.subList(0, last) : members)
        && !(leaves(filter).anyMatch(leaf -> SENDING.contains(leaf.getClass()))
            && leaves(filter).anyMatch(RowIndependence::mayFail));
  }

  /**
   * Tells whether the members of an AND are filters of single rows, and at most one filter of
   * ranges of rows.
   */
  private static boolean areIndependent(List<Filter> members) {
    List<Filter> others = members.stream().filter(member -> !isOfSingleRows(member)).toList();
    if (others.size() != 1) {
      return others.isEmpty();
    }
    Filter other = others.get(0);
    return isOfRowRange(other) || isAnd(other) && areIndependent(((FilterList) other).getFilters());
  }

  private static boolean isAnd(Filter filter) {
    return filter.getClass() == FilterList.class
        && ((FilterList) filter).getOperator() == FilterList.Operator.MUST_PASS_ALL;
  }

  private static boolean isOfSingleRows(Filter filter) {
    return leaves(filter)
        .allMatch(
            leaf ->
                OF_SINGLE_ROWS.contains(leaf.getClass())
                    && ComparedValues.isStock(comparator(leaf)));
  }

  /** Returns the filters that are no lists. */
  private static Stream<Filter> leaves(Filter filter) {
    return filter.getClass() == FilterList.class
        ? ((FilterList) filter).getFilters().stream().flatMap(RowIndependence::leaves)
        : Stream.of(filter);
  }

  private static boolean mayFail(Filter filter) {
    CompareOperator operator = CompareOperator.NO_OP;
    if (filter instanceof CompareFilter compare) {
      operator = compare.getCompareOperator();
    } else if (filter instanceof ColumnValueFilter column) {
      operator = column.getCompareOperator();
    } else if (filter instanceof SingleColumnValueFilter single) {
      operator = single.getCompareOperator();
    }
    return ComparedValues.mayFail(operator, comparator(filter));
  }

  /** Returns the filter's comparator, null if it has none. */
  private static ByteArrayComparable comparator(Filter filter) {
    if (filter instanceof CompareFilter compare) {
      return compare.getComparator();
    }
    if (filter instanceof ColumnValueFilter column) {
      return column.getComparator();
    }
    return filter instanceof SingleColumnValueFilter single ? single.getComparator() : null;
  }

  private static boolean isOfRowRange(Filter filter) {
    return OF_ROW_RANGES.contains(filter.getClass())
        && !(filter instanceof PrefixFilter prefix && mayPassRows(prefix));
  }

  /**
   * Tells whether rows that a filter for a prefix is shown may lead it past rows with the prefix:
   *
   * <ul>
   *   <li>Of a row that is shorter than the prefix, it also compares the bytes after the row: the
   *       length of the family's name, and the name. If they are greater than the prefix, it ends
   *       the scan. No prefix of printable characters is less, if the name has at most 32 bytes.
   *   <li>In a reversed scan, it takes a last byte 7F or FF for the greatest one, or the least, and
   *       sends the scan to the wrong row.
   * </ul>
   */
  private static boolean mayPassRows(PrefixFilter filter) {
    byte[] prefix = filter.getPrefix();
    return prefix == null
        || prefix.length > 0 && (prefix[prefix.length - 1] & 0x7F) == 0x7F
        || IntStream.range(1, prefix.length).anyMatch(i -> (prefix[i] & 0xFF) <= ' ');
  }
}
