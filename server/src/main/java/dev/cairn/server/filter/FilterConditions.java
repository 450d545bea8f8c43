package dev.cairn.server.filter;

import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.scan.condition.ValueRanges;
import java.util.List;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;

/**
 * Derives conditions that rows fulfil if a filter of HBase lets a cell of them pass.
 *
 * <p>A filter drops rows in two ways, and a row must get past both: {@code filterCell} must take a
 * cell of it, and {@code filterRow} must not drop it at its end. The two are derived separately,
 * because a list asks its filters each question separately: in a list with OR, one filter may take
 * the cell, and another one may keep the row. So {@code SingleColumnValueFilter OR ValueFilter}
 * drops no row at all: the first takes every cell, the second keeps every row.
 *
 * <table>
 *   <caption>What filters tell</caption>
 *   <tr><th>filter</th><th>of the cells that it takes</th><th>of the rows that it keeps</th></tr>
 *   <tr><td>SingleColumnValueFilter, SingleColumnValueExcludeFilter</td>
 *     <td>nothing: it takes every cell while the row may pass</td>
 *     <td>with filterIfMissing: it was shown a cell of the column with such a value. Without, it
 *     keeps rows in which it is shown no cell of the column, because there is none, a marker hides
 *     it, or the scan does not select it. latestVersionOnly decides which cell of the column counts;
 *     that is a stored one either way</td></tr>
 *   <tr><td>ColumnValueFilter</td><td>the column and the values</td><td>nothing</td></tr>
 *   <tr><td>ValueFilter, QualifierFilter, FamilyFilter</td>
 *     <td>the values, qualifiers, families; with the columns that the scan selects or another
 *     filter of an AND demands, they name columns</td><td>nothing</td></tr>
 *   <tr><td>FilterList with AND</td><td>all that its filters tell of the same cell</td>
 *     <td>all that its filters tell</td></tr>
 *   <tr><td>FilterList with OR</td><td>what one of its filters tells</td>
 *     <td>what one of its filters tells</td></tr>
 *   <tr><td>an empty FilterList, all others</td><td>nothing</td><td>nothing</td></tr>
 * </table>
 *
 * <p>A scan that reads families on demand may return a row without asking {@code filterRow}, if the
 * tree contains a filter that removes cells, such as SingleColumnValueExcludeFilter. Then only the
 * cells count.
 *
 * <p>Filters are recognized by their exact class, because a user's subclass may do something else.
 */
final class FilterConditions {
  private FilterConditions() {}

  /**
   * Returns a condition that each row of a scan's result fulfils. A raw scan has none: its filter
   * is shown delete markers, too.
   */
  static RowCondition of(Filter filter, ScanRequest request) {
    if (request.raw()) {
      return RowCondition.ANY;
    }
    CellSelection selected = CellSelection.of(request);
    RowCondition taken = selected.and(taken(filter)).condition();
    return isAskedAboutRows(filter, request)
        ? RowCondition.all(List.of(kept(filter, selected), taken))
        : taken;
  }

  /**
   * Tells whether {@code filterRow} is asked about each row of the result. As in HBase, it is not
   * asked about a row of which {@code filterRowCells} has removed all cells, and that still has
   * cells in families that are read on demand.
   */
  private static boolean isAskedAboutRows(Filter filter, ScanRequest request) {
    return !request.loadFamiliesOnDemand()
        || request.families().size() == 1
        || !FilterTraits.mayRemoveCells(filter);
  }

  /** Returns the condition that {@code filterRow} keeps a row. */
  private static RowCondition kept(Filter filter, CellSelection selected) {
    if (isSingleColumn(filter)) {
      SingleColumnValueFilter single = (SingleColumnValueFilter) filter;
      return single.getFilterIfMissing()
          ? selected.and(column(single)).condition()
          : RowCondition.ANY;
    }
    if (isFilledList(filter)) {
      FilterList list = (FilterList) filter;
      List<RowCondition> members =
          list.getFilters().stream().map(member -> kept(member, selected)).toList();
      return isAnd(list) ? RowCondition.all(members) : RowCondition.anyOf(members);
    }
    return RowCondition.ANY;
  }

  private static CellSelection column(SingleColumnValueFilter filter) {
    return CellSelection.column(
        filter.getFamily(),
        filter.getQualifier(),
        ComparedValues.passing(filter.getCompareOperator(), filter.getComparator()));
  }

  /** Returns a set that contains the cells that {@code filterCell} takes. */
  private static CellSelection taken(Filter filter) {
    Class<?> type = filter.getClass();
    if (type == ColumnValueFilter.class) {
      ColumnValueFilter column = (ColumnValueFilter) filter;
      return CellSelection.column(
          column.getFamily(),
          column.getQualifier(),
          ComparedValues.passing(column.getCompareOperator(), column.getComparator()));
    }
    if (type == ValueFilter.class) {
      return CellSelection.of(ValueRanges.ALL, ValueRanges.ALL, passing((ValueFilter) filter));
    }
    if (type == QualifierFilter.class) {
      return CellSelection.of(ValueRanges.ALL, passing((QualifierFilter) filter), ValueRanges.ALL);
    }
    if (type == FamilyFilter.class) {
      return CellSelection.of(passing((FamilyFilter) filter), ValueRanges.ALL, ValueRanges.ALL);
    }
    if (isFilledList(filter)) {
      FilterList list = (FilterList) filter;
      return isAnd(list)
          // The rest is left out, so that long lists cost little.
          ? list.getFilters().stream()
              .limit(RowCondition.PARTS_MAX)
              .map(FilterConditions::taken)
              .reduce(CellSelection.ALL, CellSelection::and)
          : CellSelection.union(list.getFilters().stream().map(FilterConditions::taken).toList());
    }
    return CellSelection.ALL;
  }

  private static ValueRanges passing(CompareFilter filter) {
    ByteArrayComparable comparator = filter.getComparator();
    return ComparedValues.passing(filter.getCompareOperator(), comparator);
  }

  private static boolean isSingleColumn(Filter filter) {
    return filter.getClass() == SingleColumnValueFilter.class
        || filter.getClass() == SingleColumnValueExcludeFilter.class;
  }

  private static boolean isFilledList(Filter filter) {
    return filter.getClass() == FilterList.class && !((FilterList) filter).getFilters().isEmpty();
  }

  private static boolean isAnd(FilterList list) {
    return list.getOperator() == FilterList.Operator.MUST_PASS_ALL;
  }
}
