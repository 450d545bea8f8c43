package dev.cairn.server.filter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Makes filters and comparators of messages that name their class. The class must be known and be a
 * filter (or a comparator), which is found out without running any of its code: a message cannot
 * make the server initialize some other class. Stateless; any number of threads.
 *
 * <p>The stock filters that contain other filters or comparators are created here, so that their
 * contents are found by the same rules, wherever they come from; HBase's own parsing of them uses
 * its own class loader and settings. {@link FuzzyRows} implements {@code FuzzyRowFilter}, {@link
 * ExactComparators} and {@link GuardedRegex} two comparators.
 */
public final class FilterParser {
  /** The maximum depth of filters within filters, so that a message cannot exhaust the stack. */
  private static final int MAX_DEPTH = 100;

  private static final String STOCK = "org.apache.hadoop.hbase.filter.";
  private static final String FILTER = "filter";
  private static final String COMPARATOR = "comparator";

  private final FilterClasses classes;
  private final EvaluationGuard guard;

  /**
   * Creates a parser.
   *
   * @param classes loads the classes that requests name
   * @param guard stops long searches for regular expressions
   */
  public FilterParser(ClassLoader classes, EvaluationGuard guard) {
    this.classes = new FilterClasses(classes);
    this.guard = guard;
  }

  /**
   * Returns the filter that a message describes.
   *
   * @throws DoNotRetryIOException naming the class if it is unknown, no filter, or does not
   *     understand its part of the message
   */
  public Filter filter(FilterProtos.Filter message) throws DoNotRetryIOException {
    return filter(message, 0);
  }

  /**
   * Returns the comparator that a message describes.
   *
   * @throws DoNotRetryIOException as for {@link #filter}
   */
  public ByteArrayComparable comparator(ComparatorProtos.Comparator message)
      throws DoNotRetryIOException {
    String name = message.getName();
    Class<? extends ByteArrayComparable> type =
        classes.find(name, ByteArrayComparable.class, COMPARATOR);
    byte[] body = message.getSerializedComparator().toByteArray();
    ByteArrayComparable made = classes.make(type, body, ByteArrayComparable.class, COMPARATOR);
    try {
      return switch (stockName(type)) {
        case "BinaryComponentComparator" ->
            ExactComparators.component(ComparatorProtos.BinaryComponentComparator.parseFrom(body));
        case "RegexStringComparator" ->
            GuardedRegex.of(made, ComparatorProtos.RegexStringComparator.parseFrom(body), guard);
        default -> made;
      };
    } catch (IOException | IllegalArgumentException e) {
      throw FilterClasses.malformed(COMPARATOR, name, FilterClasses.rootMessage(e), e);
    }
  }

  private Filter filter(FilterProtos.Filter message, int depth) throws DoNotRetryIOException {
    if (depth > MAX_DEPTH) {
      throw new DoNotRetryIOException(
          "Filters contain each other more than " + MAX_DEPTH + " deep");
    }
    String name = message.getName();
    Class<? extends Filter> type = classes.find(name, Filter.class, FILTER);
    ByteString body = message.getSerializedFilter();
    try {
      return switch (stockName(type)) {
        case "FilterList" -> list(FilterProtos.FilterList.parseFrom(body), depth + 1);
        case "SkipFilter" ->
            new SkipFilter(filter(FilterProtos.SkipFilter.parseFrom(body).getFilter(), depth + 1));
        case "WhileMatchFilter" ->
            new WhileMatchFilter(
                filter(FilterProtos.WhileMatchFilter.parseFrom(body).getFilter(), depth + 1));
        case "FuzzyRowFilter" -> FuzzyRows.of(FilterProtos.FuzzyRowFilter.parseFrom(body));
        case "RowFilter" -> {
          FilterProtos.CompareFilter part =
              FilterProtos.RowFilter.parseFrom(body).getCompareFilter();
          yield new RowFilter(operator(part.getCompareOp()), comparatorOf(part));
        }
        case "FamilyFilter" -> {
          FilterProtos.CompareFilter part =
              FilterProtos.FamilyFilter.parseFrom(body).getCompareFilter();
          yield new FamilyFilter(operator(part.getCompareOp()), comparatorOf(part));
        }
        case "QualifierFilter" -> {
          FilterProtos.CompareFilter part =
              FilterProtos.QualifierFilter.parseFrom(body).getCompareFilter();
          yield new QualifierFilter(operator(part.getCompareOp()), comparatorOf(part));
        }
        case "ValueFilter" -> {
          FilterProtos.CompareFilter part =
              FilterProtos.ValueFilter.parseFrom(body).getCompareFilter();
          yield new ValueFilter(operator(part.getCompareOp()), comparatorOf(part));
        }
        case "DependentColumnFilter" ->
            dependentColumn(FilterProtos.DependentColumnFilter.parseFrom(body));
        case "SingleColumnValueFilter" ->
            singleColumn(FilterProtos.SingleColumnValueFilter.parseFrom(body), false);
        case "SingleColumnValueExcludeFilter" ->
            singleColumn(
                FilterProtos.SingleColumnValueExcludeFilter.parseFrom(body)
                    .getSingleColumnValueFilter(),
                true);
        case "ColumnValueFilter" -> columnValue(FilterProtos.ColumnValueFilter.parseFrom(body));
        default -> classes.make(type, body.toByteArray(), Filter.class, FILTER);
      };
    } catch (DoNotRetryIOException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw FilterClasses.malformed(FILTER, name, FilterClasses.rootMessage(e), e);
    }
  }

  private Filter list(FilterProtos.FilterList message, int depth) throws IOException {
    List<Filter> members = new ArrayList<>(message.getFiltersCount());
    for (FilterProtos.Filter member : message.getFiltersList()) {
      members.add(filter(member, depth));
    }
    return new FilterList(FilterList.Operator.valueOf(message.getOperator().name()), members);
  }

  private Filter dependentColumn(FilterProtos.DependentColumnFilter message) throws IOException {
    return new DependentColumnFilter(
        message.hasColumnFamily() ? message.getColumnFamily().toByteArray() : null,
        message.hasColumnQualifier() ? message.getColumnQualifier().toByteArray() : null,
        message.getDropDependentColumn(),
        operator(message.getCompareFilter().getCompareOp()),
        comparatorOf(message.getCompareFilter()));
  }

  private Filter singleColumn(FilterProtos.SingleColumnValueFilter message, boolean exclude)
      throws IOException {
    byte[] family = message.hasColumnFamily() ? message.getColumnFamily().toByteArray() : null;
    byte[] qualifier =
        message.hasColumnQualifier() ? message.getColumnQualifier().toByteArray() : null;
    CompareOperator operator = operator(message.getCompareOp());
    ByteArrayComparable comparator = comparator(message.getComparator());
    SingleColumnValueFilter filter =
        exclude
            ? new SingleColumnValueExcludeFilter(family, qualifier, operator, comparator)
            : new SingleColumnValueFilter(family, qualifier, operator, comparator);
    filter.setFilterIfMissing(message.getFilterIfMissing());
    filter.setLatestVersionOnly(message.getLatestVersionOnly());
    return filter;
  }

  private Filter columnValue(FilterProtos.ColumnValueFilter message) throws IOException {
    return new ColumnValueFilter(
        message.getFamily().toByteArray(),
        message.getQualifier().toByteArray(),
        operator(message.getCompareOp()),
        comparator(message.getComparator()));
  }

  /** Returns the filter's comparator; HBase's classes take null for none. */
  private ByteArrayComparable comparatorOf(FilterProtos.CompareFilter message) throws IOException {
    return message.hasComparator() ? comparator(message.getComparator()) : null;
  }

  private static CompareOperator operator(CompareType type) {
    return CompareOperator.valueOf(type.name());
  }

  /** Returns the name of one of HBase's own classes, empty for all others. */
  private static String stockName(Class<?> type) {
    boolean stock =
        type.getName().startsWith(STOCK) && type.getClassLoader() == Filter.class.getClassLoader();
    return stock ? type.getName().substring(STOCK.length()) : "";
  }
}
