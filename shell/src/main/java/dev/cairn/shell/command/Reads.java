package dev.cairn.shell.command;

import dev.cairn.keys.KeyDisplay;
import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The commands of the group dml that read. */
final class Reads {
  private static final int INTERVAL = 1000;

  private Reads() {}

  static void declare(Declarations dml) {
    dml.add(
            "get",
            2,
            Command.ANY,
            "Reads a row, or some of its columns. A column may name the method that writes its"
                + " values: 'f:q:toInt' takes a method of HBase's class Bytes,"
                + " 'f:q:c(org.example.Formats).price' one of your own class. KEYS shows what the"
                + " row key says, by the table's KEY_FORMAT.",
            Reads::get,
            "get 't1', 'r1'",
            "get 't1', 'r1', 'f:a', 'f:b'",
            "get 't1', 'r1', {COLUMN => ['f:a', 'g'], VERSIONS => 4, TIMERANGE => [0, 1700000000000]}",
            "get 't1', \"key\\x00\\x01\", {FILTER => \"ValueFilter(=, 'binary:abc')\"}",
            "t = get_table 't1'; t.get 'r1', 'f:count:toLong'",
            "get 't1', 'r1', {KEYS => true}")
        .with(ReadOptions.GET)
        .add(
            "scan",
            1,
            2,
            "Reads the rows of a table, from STARTROW to before STOPROW, or those that begin with"
                + " ROWPREFIXFILTER. FILTER is a text in the filter language. RAW shows delete"
                + " markers, too. METRICS names counters of the scan to print, ALL_METRICS all."
                + " KEYS shows what the row keys say, by the table's KEY_FORMAT.",
            Reads::scan,
            "scan 't1', {LIMIT => 10}",
            "scan 't1', {COLUMNS => ['f:a', 'g'], STARTROW => 'b', STOPROW => 'd'}",
            "scan 't1', {ROWPREFIXFILTER => 'user7-', FILTER => \"QualifierFilter(>=, 'binary:m')\"}",
            "scan 't1', {REVERSED => true, VERSIONS => 3, RAW => true}",
            "scan 't1', {COLUMNS => 'f:count:toLong', CACHE => 1000, CACHE_BLOCKS => false}",
            "scan 't1', {KEYS => true}")
        .with(ReadOptions.SCAN)
        .add(
            "count",
            1,
            2,
            "Counts the rows of a table, and prints each INTERVALth (1000). CACHE is the number of"
                + " rows that a call to the server reads. The options that choose rows are those of"
                + " scan.",
            Reads::count,
            "count 't1'",
            "count 't1', INTERVAL => 100000, CACHE => 5000",
            "count 't1', FILTER => \"PrefixFilter('a')\", COLUMNS => ['f:q']")
        .with(
            List.of(
                "INTERVAL",
                "CACHE",
                "FILTER",
                "COLUMNS",
                "STARTROW",
                "STOPROW",
                "ROWPREFIXFILTER",
                "TIMERANGE",
                "CACHE_BLOCKS"))
        .add(
            "get_counter",
            3,
            3,
            "Prints the value of a counter, a cell of eight bytes.",
            Reads::counter,
            "get_counter 't1', 'r1', 'f:visits'")
        .add(
            "get_splits",
            1,
            1,
            "Prints the rows at which the regions of a table begin.",
            Reads::splits,
            "get_splits 't1'");
  }

  private static Value get(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    List<Column> columns = new ArrayList<>();
    for (Value value : arguments.flat(2)) {
      if (!(value instanceof Value.Hash)) {
        columns.add(Column.of(value, "A column"));
      }
    }
    Options options = arguments.options();
    CellText text = new CellText(name, options, session);
    Optional<KeyDisplay> keys = RowKeys.of(name, options, session);
    keys.ifPresent(text::show);
    columns.addAll(ReadOptions.columns(options));
    byte[] row = arguments.bytes(1, "The row");
    keys.flatMap(display -> display.parts(row))
        .ifPresent(parts -> session.output().heading(text.row(row)));
    Rows rows = session.output().table(List.of("COLUMN", "CELL"));
    Get get = ReadOptions.get(row, columns, options, text);
    try (Table table = session.table(name)) {
      Result result = table.get(get);
      for (Cell cell : cells(result)) {
        rows.add(List.of(text.column(cell), text.content(cell)), text.fields(cell));
      }
      session.output().footer(result.isEmpty() ? 0 : 1);
    }
    return Value.NIL;
  }

  private static Cell[] cells(Result result) {
    Cell[] cells = result.rawCells();
    return cells == null ? new Cell[0] : cells;
  }

  private static Value scan(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    Options options = options(arguments);
    List<String> metrics = options.list("METRICS");
    boolean allMetrics = options.flag("ALL_METRICS");
    CellText text = new CellText(name, options, session);
    RowKeys.of(name, options, session).ifPresent(text::show);
    Scan scan = ReadOptions.scan(options, text, "scan");
    scan.setScanMetricsEnabled(allMetrics || !metrics.isEmpty());
    Rows rows = session.output().table(List.of("ROW", "COLUMN+CELL"));
    long count = 0;
    try (Table table = session.table(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        Interrupts.check();
        print(result, text, rows);
        session.progress().rows(++count);
      }
      session.progress().end();
      session.output().footer(count);
      if (scan.isScanMetricsEnabled()) {
        scanner.close(); // completes the counters
        printMetrics(session, scanner, metrics);
      }
    } finally {
      session.progress().end();
    }
    return Value.NIL;
  }

  private static void print(Result result, CellText text, Rows rows) {
    String row = text.row(result.getRow());
    for (Cell cell : cells(result)) {
      rows.add(
          List.of(row, "column=" + text.column(cell) + ", " + text.content(cell)),
          text.fields(cell));
    }
  }

  private static void printMetrics(Session session, ResultScanner scanner, List<String> wanted) {
    session.output().line("");
    Rows rows = session.output().table(List.of("METRIC", "VALUE"));
    Map<String, Long> metrics = new TreeMap<>(scanner.getScanMetrics().getMetricsMap(false));
    metrics.forEach(
        (name, value) -> {
          if (wanted.isEmpty() || wanted.contains(name)) {
            rows.add(
                List.of(name, value.toString()),
                new TreeMap<>(Map.of("metric", name, "value", value)));
          }
        });
  }

  /** Returns the hash after the table; refuses any other argument. */
  private static Options options(Arguments arguments) {
    return arguments
        .find(1)
        .map(value -> Conversions.hash(value, "What follows the table"))
        .orElse(new Options(new Value.Hash(Map.of())));
  }

  private static Value count(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    Options options =
        arguments.get(1) instanceof Value.Int interval
            ? new Options(new Value.Hash(Map.of(Text.of("INTERVAL"), interval)))
            : options(arguments);
    long interval = options.number("INTERVAL").filter(n -> n > 0).orElse((long) INTERVAL);
    Scan scan = ReadOptions.scan(options, new CellText(name, options, session), "count");
    if (scan.getFilter() == null) {
      scan.setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
    }
    long count = 0;
    try (Table table = session.table(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        Interrupts.check();
        count++;
        session.progress().rows(count);
        if (count % interval == 0) {
          session
              .output()
              .line("Current count: " + count + ", row: " + Bytes.toStringBinary(result.getRow()));
        }
      }
    } finally {
      session.progress().end();
    }
    session.output().footer(count);
    return Value.of(count);
  }

  private static Value counter(Session session, Arguments arguments) throws IOException {
    Column column = Column.of(arguments.get(2), "The column");
    try (Table table = session.table(Names.table(arguments))) {
      Result result =
          table.get(
              new Get(arguments.bytes(1, "The row"))
                  .addColumn(column.family(), column.qualifierOrEmpty()));
      byte[] value = result.getValue(column.family(), column.qualifierOrEmpty());
      if (value == null) {
        session
            .output()
            .report(
                List.of("No counter found at specified coordinates"),
                Collections.singletonMap("counter", null));
      } else if (value.length != Bytes.SIZEOF_LONG) {
        throw new ShellException("The cell has " + value.length + " bytes; a counter has 8");
      } else {
        long counter = Bytes.toLong(value);
        session.output().report(List.of("COUNTER VALUE = " + counter), Map.of("counter", counter));
      }
    }
    return Value.NIL;
  }

  private static Value splits(Session session, Arguments arguments) throws IOException {
    List<String> lines = new ArrayList<>();
    List<String> splits = new ArrayList<>();
    try (RegionLocator locator = session.connection().getRegionLocator(Names.table(arguments))) {
      byte[][] starts = locator.getStartKeys();
      lines.add("Total number of splits = " + starts.length);
      for (byte[] start : starts) {
        if (start.length > 0) {
          splits.add(Bytes.toStringBinary(start));
        }
      }
    }
    lines.addAll(splits);
    session.output().report(lines, Map.of("splits", splits));
    return Value.texts(splits);
  }
}
