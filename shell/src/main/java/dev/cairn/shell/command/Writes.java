package dev.cairn.shell.command;

import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;

/** The commands of the group dml that write. */
final class Writes {
  private static final List<String> OPTIONS = List.of("ATTRIBUTES", "VISIBILITY", "TTL");
  private static final int DELETES_A_CALL = 100;

  private Writes() {}

  static void declare(Declarations dml) {
    dml.add(
            "put",
            4,
            6,
            "Writes a cell: table, row, column, value, and a timestamp if it is not to be the"
                + " server's time. TTL is in milliseconds.",
            Writes::put,
            "put 't1', 'r1', 'f:a', 'value'",
            "put 't1', \"key\\x00\\xff\", 'f:a', \"\\x00\\x00\\x00\\x05\", 1700000000000",
            "put 't1', 'r1', 'f:a', 'value', {TTL => 60000, ATTRIBUTES => {'k' => 'v'}}",
            "(1..100).each { |i| put 't1', \"row#{i}\", 'f:q', \"v#{i}\" }")
        .with(OPTIONS)
        .add(
            "append",
            4,
            5,
            "Appends bytes to a cell's value and prints the new value.",
            Writes::append,
            "append 't1', 'r1', 'f:a', 'more'")
        .with(OPTIONS)
        .add(
            "incr",
            3,
            5,
            "Adds to a counter, 1 by default, and prints the new value.",
            Writes::increment,
            "incr 't1', 'r1', 'f:visits'",
            "incr 't1', 'r1', 'f:visits', 10")
        .with(OPTIONS)
        .add(
            "delete",
            3,
            5,
            "Deletes one version of a cell: the newest, or that of a timestamp.",
            Writes::delete,
            "delete 't1', 'r1', 'f:a'",
            "delete 't1', 'r1', 'f:a', 1700000000000")
        .with(OPTIONS)
        .add(
            "deleteall",
            2,
            5,
            "Deletes a row, or all versions of a column up to a timestamp; also of several rows, or"
                + " of all rows that begin with ROWPREFIXFILTER.",
            Writes::deleteAll,
            "deleteall 't1', 'r1'",
            "deleteall 't1', 'r1', 'f:a', 1700000000000",
            "deleteall 't1', ['r1', 'r2'], 'f'",
            "deleteall 't1', {ROWPREFIXFILTER => 'old-', CACHE => 500}")
        .with(List.of("ROWPREFIXFILTER", "CACHE", "ATTRIBUTES", "VISIBILITY", "TTL"));
  }

  private static byte[] row(Value value) {
    byte[] row = Conversions.bytes(value, "The row");
    if (row.length == 0) {
      throw new ShellException("Row length is 0");
    }
    return row;
  }

  private static byte[] value(Value value) {
    return value.equals(Value.NIL) ? new byte[0] : Conversions.bytes(value, "The value");
  }

  private static long timestamp(Arguments arguments, int index) {
    return arguments
        .find(index)
        .filter(value -> !(value instanceof Value.Hash))
        .map(value -> Conversions.number(value, "The timestamp"))
        .orElse(HConstants.LATEST_TIMESTAMP);
  }

  private static void apply(Options options, Mutation mutation, String command) {
    options
        .texts("ATTRIBUTES")
        .forEach((name, value) -> mutation.setAttribute(name, Text.of(value).bytes()));
    options.letters("VISIBILITY").map(CellVisibility::new).ifPresent(mutation::setCellVisibility);
    options.number("TTL").ifPresent(mutation::setTTL);
    options.requireNoMore(command);
  }

  private static Value put(Session session, Arguments arguments) throws IOException {
    Column column = Column.of(arguments.get(2), "The column");
    Put put = new Put(row(arguments.get(1)));
    put.addColumn(
        column.family(),
        column.qualifierOrEmpty(),
        timestamp(arguments, 4),
        value(arguments.get(3)));
    apply(arguments.options(), put, "put");
    try (Table table = session.table(Names.table(arguments))) {
      table.put(put);
    }
    return Value.NIL;
  }

  private static Value append(Session session, Arguments arguments) throws IOException {
    Column column = Column.of(arguments.get(2), "The column");
    Append append = new Append(row(arguments.get(1)));
    append.addColumn(column.family(), column.qualifierOrEmpty(), value(arguments.get(3)));
    apply(arguments.options(), append, "append");
    try (Table table = session.table(Names.table(arguments))) {
      Result result = table.append(append);
      byte[] value = result.getValue(column.family(), column.qualifierOrEmpty());
      String text = Bytes.toStringBinary(value);
      session.output().report(List.of("CURRENT VALUE = " + text), Map.of("value", text));
    }
    return Value.NIL;
  }

  private static Value increment(Session session, Arguments arguments) throws IOException {
    Column column = Column.of(arguments.get(2), "The column");
    long amount =
        arguments
            .find(3)
            .filter(value -> !(value instanceof Value.Hash))
            .map(value -> Conversions.number(value, "The amount"))
            .orElse(1L);
    Increment increment = new Increment(row(arguments.get(1)));
    increment.addColumn(column.family(), column.qualifierOrEmpty(), amount);
    apply(arguments.options(), increment, "incr");
    try (Table table = session.table(Names.table(arguments))) {
      Result result = table.increment(increment);
      byte[] value = result.getValue(column.family(), column.qualifierOrEmpty());
      long counter = Bytes.toLong(value);
      session.output().report(List.of("COUNTER VALUE = " + counter), Map.of("counter", counter));
    }
    return Value.NIL;
  }

  private static Value delete(Session session, Arguments arguments) throws IOException {
    Column column = Column.of(arguments.get(2), "The column");
    long timestamp = timestamp(arguments, 3);
    Delete delete = new Delete(row(arguments.get(1)));
    if (column.qualifier().isPresent()) {
      delete.addColumn(column.family(), column.qualifier().get(), timestamp);
    } else {
      delete.addFamilyVersion(column.family(), timestamp);
    }
    apply(arguments.options(), delete, "delete");
    try (Table table = session.table(Names.table(arguments))) {
      table.delete(delete);
    }
    return Value.NIL;
  }

  private static Value deleteAll(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    try (Table table = session.table(name)) {
      if (arguments.get(1) instanceof Value.Hash hash) {
        deletePrefix(table, new Options(hash), arguments);
      } else {
        List<Delete> deletes = new ArrayList<>();
        for (Value row : Conversions.list(arguments.get(1))) {
          deletes.add(delete(row(row), arguments));
        }
        table.delete(deletes);
      }
    }
    return Value.NIL;
  }

  /** Returns the delete of a row, or of the columns named after the row. */
  private static Delete delete(byte[] row, Arguments arguments) {
    long timestamp = timestamp(arguments, 3);
    Delete delete = new Delete(row, timestamp);
    if (arguments.find(2).filter(Writes::isColumn).isPresent()) {
      Column column = Column.of(arguments.get(2), "The column");
      column
          .qualifier()
          .ifPresentOrElse(
              qualifier -> delete.addColumns(column.family(), qualifier, timestamp),
              () -> delete.addFamily(column.family(), timestamp));
    }
    if (arguments.size() > 2) {
      apply(last(arguments), delete, "deleteall");
    }
    return delete;
  }

  /** Tells whether an argument of deleteall names a column; an empty text means all of the row. */
  private static boolean isColumn(Value value) {
    return !(value instanceof Value.Hash) && !value.equals(Text.EMPTY);
  }

  private static Options last(Arguments arguments) {
    return arguments.get(arguments.size() - 1) instanceof Value.Hash hash
        ? new Options(hash)
        : new Options(new Value.Hash(Map.of()));
  }

  private static void deletePrefix(Table table, Options rows, Arguments arguments)
      throws IOException {
    byte[] prefix =
        rows.bytes("ROWPREFIXFILTER")
            .orElseThrow(() -> new ShellException("deleteall needs a row or ROWPREFIXFILTER"));
    int batch = rows.integer("CACHE").orElse(DELETES_A_CALL);
    rows.requireNoMore("deleteall");
    Scan scan = new Scan().setAsyncPrefetch(false).setStartStopRowForPrefixScan(prefix);
    scan.setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
    List<Delete> deletes = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        Interrupts.check();
        deletes.add(delete(result.getRow(), arguments));
        if (deletes.size() >= batch) {
          table.delete(deletes);
          deletes.clear();
        }
      }
    }
    table.delete(deletes);
  }
}
