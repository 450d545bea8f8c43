package dev.cairn.shell.command;

import dev.cairn.server.filter.FilterLanguage;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.security.visibility.Authorizations;

/** Turns the options of reads into HBase's objects. */
final class ReadOptions {
  /** The options of {@code get}. */
  static final List<String> GET =
      List.of(
          "COLUMN",
          "COLUMNS",
          "VERSIONS",
          "TIMERANGE",
          "TIMESTAMP",
          "FILTER",
          "ATTRIBUTES",
          "AUTHORIZATIONS",
          "CONSISTENCY",
          "REGION_REPLICA_ID",
          "FORMATTER",
          "FORMATTER_CLASS",
          "MAXLENGTH",
          RowKeys.OPTION,
          "CACHE_BLOCKS");

  /** The options of {@code scan}. */
  static final List<String> SCAN =
      List.of(
          "COLUMNS",
          "COLUMN",
          "STARTROW",
          "STOPROW",
          "ROWPREFIXFILTER",
          "LIMIT",
          "VERSIONS",
          "TIMERANGE",
          "TIMESTAMP",
          "FILTER",
          "REVERSED",
          "RAW",
          "CACHE",
          "CACHE_BLOCKS",
          "BATCH",
          "MAX_RESULT_SIZE",
          "ALLOW_PARTIAL_RESULTS",
          "READ_TYPE",
          "ISOLATION_LEVEL",
          "CONSISTENCY",
          "REGION_REPLICA_ID",
          "ATTRIBUTES",
          "AUTHORIZATIONS",
          "FORMATTER",
          "FORMATTER_CLASS",
          "MAXLENGTH",
          RowKeys.OPTION,
          "METRICS",
          "ALL_METRICS");

  private ReadOptions() {}

  /** Returns the columns of COLUMN and COLUMNS, each a string or an array of strings. */
  static List<Column> columns(Options options) {
    List<Column> columns = new ArrayList<>();
    for (String name : List.of("COLUMN", "COLUMNS")) {
      for (Value value : options.take(name).map(Conversions::list).orElse(List.of())) {
        if (!(value instanceof Text) && !(value instanceof Value.Symbol)) {
          throw Conversions.expected(name, "a text or an array of texts", value);
        }
        columns.add(Column.of(value, name));
      }
    }
    return columns;
  }

  /** Returns the get that the options describe, and sets the format options of {@code text}. */
  static Get get(byte[] row, List<Column> columns, Options options, CellText text) {
    if (row.length == 0) {
      throw new ShellException("Row length is 0");
    }
    Get get = new Get(row);
    for (Column column : columns) {
      text.add(column);
      column
          .qualifier()
          .ifPresentOrElse(
              qualifier -> get.addColumn(column.family(), qualifier),
              () -> get.addFamily(column.family()));
    }
    Optional<Long> timestamp = options.number("TIMESTAMP");
    try {
      Optional<Integer> versions = options.integer("VERSIONS");
      if (versions.isPresent()) {
        get.readVersions(positive("VERSIONS", versions.get()));
      }
      Optional<TimeRange> range = timeRange(options);
      if (range.isPresent()) {
        get.setTimeRange(range.get().getMin(), range.get().getMax());
      }
    } catch (IOException e) {
      throw new ShellException(e.getMessage(), e);
    }
    timestamp.ifPresent(get::setTimestamp);
    options.bool("CACHE_BLOCKS").ifPresent(get::setCacheBlocks);
    query(get, options);
    options.requireNoMore("get");
    return get;
  }

  /**
   * Returns the scan that the options describe, and sets the format options of {@code text}.
   *
   * @param command the command that has the options, for messages
   */
  static Scan scan(Options options, CellText text, String command) {
    // Prefetching uses another thread, which prints its own errors.
    Scan scan = new Scan().setAsyncPrefetch(false);
    for (Column column : columns(options)) {
      text.add(column);
      column
          .qualifier()
          .filter(qualifier -> qualifier.length > 0)
          .ifPresentOrElse(
              qualifier -> scan.addColumn(column.family(), qualifier),
              () -> scan.addFamily(column.family()));
    }
    rows(scan, options);
    options.integer("VERSIONS").ifPresent(n -> scan.readVersions(positive("VERSIONS", n)));
    Optional<TimeRange> range = timeRange(options);
    Optional<Long> timestamp = options.number("TIMESTAMP");
    try {
      if (range.isPresent()) {
        scan.setTimeRange(range.get().getMin(), range.get().getMax());
      }
    } catch (IOException e) {
      throw new ShellException(e.getMessage(), e);
    }
    timestamp.ifPresent(scan::setTimestamp);
    options.bool("RAW").ifPresent(scan::setRaw);
    options.integer("CACHE").ifPresent(scan::setCaching);
    options.bool("CACHE_BLOCKS").ifPresent(scan::setCacheBlocks);
    options.integer("BATCH").ifPresent(scan::setBatch);
    options.number("MAX_RESULT_SIZE").ifPresent(scan::setMaxResultSize);
    options.bool("ALLOW_PARTIAL_RESULTS").ifPresent(scan::setAllowPartialResults);
    named(options, "READ_TYPE", Scan.ReadType.class).ifPresent(scan::setReadType);
    options.integer("LIMIT").filter(limit -> limit > 0).ifPresent(scan::setLimit);
    query(scan, options);
    options.requireNoMore(command);
    return scan;
  }

  private static void rows(Scan scan, Options options) {
    scan.setReversed(options.flag("REVERSED"));
    Optional<byte[]> start = options.bytes("STARTROW");
    Optional<byte[]> stop = options.bytes("STOPROW");
    Optional<byte[]> prefix = options.bytes("ROWPREFIXFILTER");
    if (prefix.isPresent()) {
      Scan forwards = new Scan().setStartStopRowForPrefixScan(prefix.get());
      if (scan.isReversed()) {
        scan.withStartRow(forwards.getStopRow(), forwards.getStopRow().length == 0);
        scan.withStopRow(forwards.getStartRow(), true);
      } else {
        scan.withStartRow(forwards.getStartRow()).withStopRow(forwards.getStopRow());
      }
    }
    start.ifPresent(scan::withStartRow);
    stop.ifPresent(scan::withStopRow);
  }

  private static void query(Query query, Options options) {
    filter(options).ifPresent(query::setFilter);
    options
        .texts("ATTRIBUTES")
        .forEach((name, value) -> query.setAttribute(name, Text.of(value).bytes()));
    List<String> labels = options.list("AUTHORIZATIONS");
    if (!labels.isEmpty()) {
      query.setAuthorizations(new Authorizations(labels));
    }
    named(options, "CONSISTENCY", Consistency.class).ifPresent(query::setConsistency);
    named(options, "ISOLATION_LEVEL", IsolationLevel.class).ifPresent(query::setIsolationLevel);
    options.integer("REGION_REPLICA_ID").ifPresent(query::setReplicaId);
  }

  private static Optional<Filter> filter(Options options) {
    return options
        .take("FILTER")
        .map(
            value -> {
              if (!(value instanceof Text text)) {
                throw Conversions.expected("FILTER", "a text in the filter language", value);
              }
              try {
                return FilterLanguage.parse(text.bytes());
              } catch (IllegalArgumentException e) {
                throw new ShellException(e.getMessage(), e);
              }
            });
  }

  private static Optional<TimeRange> timeRange(Options options) {
    return options
        .take("TIMERANGE")
        .map(
            value -> {
              List<Value> ends = Conversions.list(value);
              if (ends.size() != 2) {
                throw Conversions.expected("TIMERANGE", "an array of two timestamps", value);
              }
              try {
                return TimeRange.between(
                    Conversions.number(ends.get(0), "TIMERANGE"),
                    Conversions.number(ends.get(1), "TIMERANGE"));
              } catch (IllegalArgumentException e) {
                throw new ShellException("TIMERANGE: " + e.getMessage(), e);
              }
            });
  }

  private static int positive(String name, int number) {
    if (number < 1) {
      throw new ShellException(name + " must be 1 or more, not " + number);
    }
    return number;
  }

  private static <E extends Enum<E>> Optional<E> named(
      Options options, String name, Class<E> type) {
    return options
        .letters(name)
        .map(
            text -> {
              try {
                return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
              } catch (IllegalArgumentException e) {
                throw new ShellException(
                    name
                        + " must be one of "
                        + Arrays.toString(type.getEnumConstants())
                        + ", not "
                        + text,
                    e);
              }
            });
  }
}
