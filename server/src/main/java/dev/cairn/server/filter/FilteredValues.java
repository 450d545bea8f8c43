package dev.cairn.server.filter;

import java.io.IOException;
import java.util.Set;
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
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;

/**
 * Knows which filters read only keys, so that no MOB file is opened to count rows. Any other filter
 * is assumed to read values.
 */
final class FilteredValues {
  private static final Set<Class<? extends Filter>> BY_KEY =
      Set.of(
          ColumnCountGetFilter.class,
          ColumnPaginationFilter.class,
          ColumnPrefixFilter.class,
          ColumnRangeFilter.class,
          FamilyFilter.class,
          FirstKeyOnlyFilter.class,
          FuzzyRows.class,
          InclusiveStopFilter.class,
          MultiRowRangeFilter.class,
          MultipleColumnPrefixFilter.class,
          PageFilter.class,
          PrefixFilter.class,
          QualifierFilter.class,
          RandomRowFilter.class,
          RowFilter.class,
          TimestampsFilter.class);

  private FilteredValues() {}

  /** Tells whether the filter may look at the value of a cell. */
  static boolean areRead(Filter filter) {
    if (filter instanceof SkipFilter skip) {
      return areRead(skip.getFilter());
    }
    if (filter instanceof WhileMatchFilter whileMatch) {
      return areRead(whileMatch.getFilter());
    }
    if (filter instanceof FilterList list) {
      return list.getFilters().stream().anyMatch(FilteredValues::areRead);
    }
    if (filter instanceof KeyOnlyFilter keyOnly) {
      return returnsLengths(keyOnly);
    }
    return !BY_KEY.contains(filter.getClass());
  }

  private static boolean returnsLengths(KeyOnlyFilter filter) {
    try {
      return FilterProtos.KeyOnlyFilter.parseFrom(filter.toByteArray()).getLenAsVal();
    } catch (IOException e) {
      return true; // a subclass of a user's
    }
  }
}
