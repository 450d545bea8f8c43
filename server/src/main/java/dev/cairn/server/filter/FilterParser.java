package dev.cairn.server.filter;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.unsafe.HBasePlatformDependent;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Makes filters and comparators of messages that name their class. The class must be on the class
 * path and be a filter (or a comparator), which is found out without running any of its code: a
 * message cannot make the server initialize some other class. The same is looked at in what the
 * stock filters contain. Stateless; any number of threads.
 */
public final class FilterParser {
  /** How deep filters may contain filters, so that a message cannot exhaust the stack. */
  private static final int MAX_DEPTH = 100;

  private static final String STOCK = "org.apache.hadoop.hbase.filter.";

  private final ClassLoader classes;

  /** Creates a parser that finds classes by {@code classes}. */
  public FilterParser(ClassLoader classes) {
    this.classes = classes;
  }

  /**
   * Returns the filter that a message describes.
   *
   * @throws DoNotRetryIOException naming the class if it is unknown, no filter, or does not
   *     understand its part of the message
   */
  public Filter filter(FilterProtos.Filter message) throws IOException {
    checkFilter(message, 0);
    try {
      return ProtobufUtil.toFilter(message);
    } catch (IOException | RuntimeException | LinkageError e) {
      throw malformed("filter", message.getName(), e);
    }
  }

  /**
   * Returns the comparator that a message describes.
   *
   * @throws DoNotRetryIOException as for {@link #filter}
   */
  public ByteArrayComparable comparator(ComparatorProtos.Comparator message) throws IOException {
    checkClass(message.getName(), ByteArrayComparable.class, "comparator");
    try {
      return ProtobufUtil.toComparator(message);
    } catch (IOException | RuntimeException | LinkageError e) {
      throw malformed("comparator", message.getName(), e);
    }
  }

  private void checkFilter(FilterProtos.Filter message, int depth) throws DoNotRetryIOException {
    if (depth > MAX_DEPTH) {
      throw new DoNotRetryIOException("Filters contain each other more than 100 deep");
    }
    checkClass(message.getName(), Filter.class, "filter");
    if (stockName(message.getName()).equals("FuzzyRowFilter")
        && !HBasePlatformDependent.unaligned()) {
      // HBase's class then matches nothing, without saying so.
      throw new DoNotRetryIOException(
          "FuzzyRowFilter needs a server whose JVM was started with"
              + " --add-opens=java.base/java.nio=ALL-UNNAMED"
              + " --add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
    }
    List<FilterProtos.Filter> inside;
    Optional<ComparatorProtos.Comparator> comparator;
    try {
      inside = filtersIn(message);
      comparator = comparatorIn(message);
    } catch (InvalidProtocolBufferException e) {
      throw malformed("filter", message.getName(), e);
    }
    for (FilterProtos.Filter inner : inside) {
      checkFilter(inner, depth + 1);
    }
    if (comparator.isPresent()) {
      checkClass(comparator.get().getName(), ByteArrayComparable.class, "comparator");
    }
  }

  private void checkClass(String name, Class<?> type, String what) throws DoNotRetryIOException {
    try {
      if (!type.isAssignableFrom(Class.forName(name, false, classes))) {
        throw new DoNotRetryIOException("The class " + name + " is no " + what);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      throw new DoNotRetryIOException(
          "The server does not know the " + what + " " + name + ": put it on its class path", e);
    }
  }

  private static List<FilterProtos.Filter> filtersIn(FilterProtos.Filter message)
      throws InvalidProtocolBufferException {
    ByteString body = message.getSerializedFilter();
    return switch (stockName(message.getName())) {
      case "FilterList" -> FilterProtos.FilterList.parseFrom(body).getFiltersList();
      case "SkipFilter" -> List.of(FilterProtos.SkipFilter.parseFrom(body).getFilter());
      case "WhileMatchFilter" -> List.of(FilterProtos.WhileMatchFilter.parseFrom(body).getFilter());
      case "FilterWrapper" -> List.of(FilterProtos.FilterWrapper.parseFrom(body).getFilter());
      default -> List.of();
    };
  }

  private static Optional<ComparatorProtos.Comparator> comparatorIn(FilterProtos.Filter message)
      throws InvalidProtocolBufferException {
    ByteString body = message.getSerializedFilter();
    return switch (stockName(message.getName())) {
      case "RowFilter" -> of(FilterProtos.RowFilter.parseFrom(body).getCompareFilter());
      case "FamilyFilter" -> of(FilterProtos.FamilyFilter.parseFrom(body).getCompareFilter());
      case "QualifierFilter" -> of(FilterProtos.QualifierFilter.parseFrom(body).getCompareFilter());
      case "ValueFilter" -> of(FilterProtos.ValueFilter.parseFrom(body).getCompareFilter());
      case "DependentColumnFilter" ->
          of(FilterProtos.DependentColumnFilter.parseFrom(body).getCompareFilter());
      case "SingleColumnValueFilter" ->
          Optional.of(FilterProtos.SingleColumnValueFilter.parseFrom(body).getComparator());
      case "SingleColumnValueExcludeFilter" ->
          Optional.of(
              FilterProtos.SingleColumnValueExcludeFilter.parseFrom(body)
                  .getSingleColumnValueFilter()
                  .getComparator());
      case "ColumnValueFilter" ->
          Optional.of(FilterProtos.ColumnValueFilter.parseFrom(body).getComparator());
      default -> Optional.empty();
    };
  }

  private static Optional<ComparatorProtos.Comparator> of(FilterProtos.CompareFilter filter) {
    return filter.hasComparator() ? Optional.of(filter.getComparator()) : Optional.empty();
  }

  private static String stockName(String name) {
    return name.startsWith(STOCK) ? name.substring(STOCK.length()) : "";
  }

  private static DoNotRetryIOException malformed(String what, String name, Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return new DoNotRetryIOException(
        "The " + what + " " + name + " cannot be read from its message: " + root.getMessage(),
        cause);
  }
}
