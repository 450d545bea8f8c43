package dev.cairn.studies.logs;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.KeyValues;
import dev.cairn.keys.client.UidKind;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Numbers;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row for each line.
 *
 * @param name of the design
 * @param format of the keys, with the parts {@code host}, {@code type} and {@code time}
 * @param names what keys have for names
 * @param latest whether the latest lines come first
 * @param numbers of the names, if keys have numbers
 */
record LogRows(String name, KeyFormat format, KeyNames names, boolean latest, Numbers numbers)
    implements Design<LogLine, Lines> {
  private static final TableName TABLE = TableName.valueOf("log");
  private static final TableName NUMBERS = TableName.valueOf("log-names");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] TEXT = Bytes.toBytes("t");
  private static final String HOST = "host";
  private static final String TYPE = "type";
  private static final String TIME = "time";

  /** Creates a design with keys of a format, as text. */
  static LogRows of(String name, KeyNames names, String format) {
    return new LogRows(
        name, KeyFormat.parse(format), names, format.endsWith(" desc"), new Numbers(NUMBERS));
  }

  @Override
  public String layout() {
    return format + (names == KeyNames.HASHES ? ": f:t, f:host, f:type" : ": f:t");
  }

  @Override
  public List<NewTable> tables(long facts) {
    NewTable lines =
        new NewTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .setValue(KeyFormat.TABLE_ATTRIBUTE, format.toString())
                .build());
    return names == KeyNames.NUMBERS ? List.of(lines, numbers.table()) : List.of(lines);
  }

  @Override
  public FactWriter<LogLine> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(connection, TABLE, line -> put(connection, line));
  }

  private Put put(Connection connection, LogLine line) throws IOException {
    boolean numbered = names == KeyNames.NUMBERS;
    Object host = numbered ? kind(connection, HOST).assign(line.host()) : line.host();
    Object type = numbered ? kind(connection, TYPE).assign(line.type()) : line.type();
    Put put =
        new Put(format.encode(Map.of(HOST, host, TYPE, type, TIME, line.time())))
            .addColumn(FAMILY, TEXT, Bytes.toBytes(line.text()));
    if (names == KeyNames.HASHES) {
      put.addColumn(FAMILY, Bytes.toBytes(HOST), Bytes.toBytes(line.host()))
          .addColumn(FAMILY, Bytes.toBytes(TYPE), Bytes.toBytes(line.type()));
    }
    return put;
  }

  /** Returns the numbers of hosts or types, with the width that formats have. */
  private UidKind kind(Connection connection, String part) {
    return numbers.of(connection).kind(part, part.equals(HOST) ? 3 : 1);
  }

  @Override
  public List<LogLine> answer(Connection connection, Lines asked) throws IOException {
    KeyPattern pattern = format.pattern().between(TIME, asked.from(), asked.to());
    for (String part : List.of(HOST, TYPE)) {
      List<Object> values = values(connection, part, asked);
      if (values.isEmpty()) {
        return List.of(); // a name without a number, which no key has
      }
      // All names are left out after the time, where they restrict nothing.
      boolean all = (part.equals(HOST) ? asked.host() : asked.type()).isEmpty();
      pattern = all && timeIsFirst() ? pattern : pattern.in(part, values.toArray());
    }
    List<LogLine> lines =
        asked.latest() > 0
            ? Scans.first(
                connection, TABLE, pattern, !latest, asked.latest(), row -> line(connection, row))
            : Scans.list(connection, TABLE, pattern, row -> line(connection, row));
    return asked.sorted(lines.stream());
  }

  private boolean timeIsFirst() {
    return format.valueParts().get(0).name().equals(TIME);
  }

  /** Returns what the keys have for the name that is asked for, or for all names. */
  private List<Object> values(Connection connection, String part, Lines asked) throws IOException {
    List<String> wanted =
        part.equals(HOST)
            ? asked.host().map(List::of).orElseGet(() -> LogLine.hosts().toList())
            : asked.type().map(List::of).orElse(LogLine.TYPES);
    if (names != KeyNames.NUMBERS) {
      return List.copyOf(wanted);
    }
    List<Object> found = new ArrayList<>();
    for (String one : wanted) {
      OptionalLong number = kind(connection, part).find(one);
      number.ifPresent(found::add);
    }
    return found;
  }

  private LogLine line(Connection connection, Result row) throws IOException {
    KeyValues key = format.decode(row.getRow());
    return new LogLine(
        name(connection, HOST, key, row),
        name(connection, TYPE, key, row),
        key.getInstant(TIME),
        Bytes.toString(row.getValue(FAMILY, TEXT)));
  }

  private String name(Connection connection, String part, KeyValues key, Result row)
      throws IOException {
    return switch (names) {
      case NAMES -> key.getString(part);
      case HASHES -> Bytes.toString(row.getValue(FAMILY, Bytes.toBytes(part)));
      case NUMBERS ->
          kind(connection, part)
              .name(key.getLong(part))
              .orElseThrow(() -> new IOException("the number in " + key + " has no name"));
    };
  }
}
