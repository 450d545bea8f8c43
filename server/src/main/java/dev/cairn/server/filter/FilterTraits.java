package dev.cairn.server.filter;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/** The properties of HBase's own filters, unknown for users' filters, that make scans cheaper. */
final class FilterTraits {
  private static final String STOCK_PACKAGE = Filter.class.getPackageName();

  /** Filters that look only at the cell's column, and ask for a later column. */
  private static final Set<Class<? extends Filter>> PLAIN_COLUMNS =
      Set.of(ColumnPrefixFilter.class, ColumnRangeFilter.class, MultipleColumnPrefixFilter.class);

  private FilterTraits() {}

  /**
   * Tells whether the filter may need a cell again that it was shown earlier: a list with OR
   * remembers where each of its filters continues, and the behaviour of a user's filter is unknown.
   */
  static boolean remembersCells(Filter filter) {
    if (filter.getClass() == SkipFilter.class) {
      return remembersCells(((SkipFilter) filter).getFilter());
    }
    if (filter.getClass() == WhileMatchFilter.class) {
      return remembersCells(((WhileMatchFilter) filter).getFilter());
    }
    if (filter.getClass() == FilterList.class) {
      FilterList list = (FilterList) filter;
      return list.getOperator() == FilterList.Operator.MUST_PASS_ONE || any(list.getFilters());
    }
    return !(isStock(filter) || filter instanceof FuzzyRows);
  }

  /**
   * Tells whether the cells of a row that the filter drops by its key, which HBase shows it all the
   * same, matter to later rows: a {@code WhileMatchFilter} may end for good, and the behaviour of a
   * user's filter is unknown.
   */
  static boolean learnsFromDroppedRows(Filter filter) {
    if (filter.getClass() == SkipFilter.class) {
      return learnsFromDroppedRows(((SkipFilter) filter).getFilter());
    }
    if (filter.getClass() == FilterList.class) {
      return ((FilterList) filter)
          .getFilters().stream().anyMatch(FilterTraits::learnsFromDroppedRows);
    }
    return filter.getClass() == WhileMatchFilter.class
        || !(isStock(filter) || filter instanceof FuzzyRows);
  }

  /**
   * Tells whether the filter's hints within a row skip only cells that it would drop one by one,
   * without changing its own state by that.
   */
  static boolean hasPlainColumnHints(Filter filter) {
    if (filter instanceof FilterList list
        && list.getOperator() == FilterList.Operator.MUST_PASS_ALL) {
      return list.getFilters().stream().allMatch(FilterTraits::hasPlainColumnHints);
    }
    return PLAIN_COLUMNS.contains(filter.getClass());
  }

  /**
   * Tells whether {@code filterRowCells} may remove cells that {@code filterCell} took. SkipFilter
   * and WhileMatchFilter do not pass the call on. The behaviour of a user's filter is unknown.
   */
  static boolean mayRemoveCells(Filter filter) {
    if (filter.getClass() == FilterList.class) {
      return ((FilterList) filter).getFilters().stream().anyMatch(FilterTraits::mayRemoveCells);
    }
    return filter.getClass() == SingleColumnValueExcludeFilter.class
        || filter.getClass() == DependentColumnFilter.class
        || !(isStock(filter) || filter instanceof FuzzyRows);
  }

  private static boolean any(List<Filter> filters) {
    return filters.stream().anyMatch(FilterTraits::remembersCells);
  }

  /** Users' filters may be in the same package, but do not come with the others. */
  private static boolean isStock(Filter filter) {
    return filter.getClass().getPackageName().equals(STOCK_PACKAGE)
        && filter.getClass().getProtectionDomain().getCodeSource() != null
        && filter
            .getClass()
            .getProtectionDomain()
            .getCodeSource()
            .equals(Filter.class.getProtectionDomain().getCodeSource());
  }
}
