package dev.cairn.studies.tall;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyRange;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The table with a row for each user and a column for each item, and its cells. */
final class WideRows {
  static final TableName TABLE = TableName.valueOf("items_wide");
  static final byte[] FAMILY = Bytes.toBytes("f");

  private static final KeyFormat KEYS = KeyFormat.parse("user string");
  private static final KeyFormat QUALIFIERS = KeyFormat.parse("time timestamp desc");

  private WideRows() {}

  static String layout() {
    return KEYS + ": f:(" + QUALIFIERS + ")";
  }

  static List<NewTable> tables() {
    return List.of(NewTable.of(TABLE, FAMILY, KEYS));
  }

  static FactWriter<Item> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(
        connection,
        TABLE,
        item ->
            new Put(key(item.user()))
                .addColumn(FAMILY, QUALIFIERS.encode(item.time()), Bytes.toBytes(item.text())));
  }

  static byte[] key(String user) {
    return KEYS.encode(user);
  }

  /** Returns the columns of a period. */
  static ColumnRangeFilter columns(Ask.Period asked) {
    KeyRange range = QUALIFIERS.range(List.of(), asked.from(), asked.to()).get(0);
    return new ColumnRangeFilter(range.start(), true, range.stop(), false);
  }

  /** Returns the items of a row, or of a part of it. */
  static Stream<Item> items(String user, Result row) {
    return Arrays.stream(row.rawCells())
        .map(
            cell ->
                new Item(
                    user,
                    QUALIFIERS.decode(CellUtil.cloneQualifier(cell)).getInstant("time"),
                    Bytes.toString(CellUtil.cloneValue(cell))));
  }

  static List<Item> get(Connection connection, String user, Get get) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return items(user, table.get(get)).toList();
    }
  }

  static List<Item> one(Connection connection, Ask.One asked) throws IOException {
    byte[] column = QUALIFIERS.encode(asked.time());
    return get(connection, asked.user(), new Get(key(asked.user())).addColumn(FAMILY, column));
  }
}
