package dev.cairn.studies.list;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row for each list, a column for each value, which is its name. Values are removed by deletes.
 */
record ColumnForValue() implements BlindDesign {
  private static final TableName TABLE = TableName.valueOf("lists_columns");
  private static final KeyFormat KEYS = KeyFormat.parse("user string");
  private static final KeyFormat QUALIFIERS = KeyFormat.parse("value ulong desc");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @Override
  public String name() {
    return "a column for each value";
  }

  @Override
  public String layout() {
    return KEYS + ": f:(" + QUALIFIERS + ")";
  }

  @Override
  public TableName table() {
    return TABLE;
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(NewTable.of(TABLE, FAMILY, KEYS));
  }

  @Override
  public Optional<Mutation> mutation(Change change) {
    byte[] row = KEYS.encode(change.user());
    byte[] column = QUALIFIERS.encode(change.value());
    return Optional.of(
        change.isRemoval()
            ? new Delete(row).addColumns(FAMILY, column, change.time())
            : new Put(row).addColumn(FAMILY, column, change.time(), new byte[0]));
  }

  @Override
  public List<Long> latest(Connection connection, String user, int limit) throws IOException {
    Get get = new Get(KEYS.encode(user));
    if (limit < Integer.MAX_VALUE) {
      get.setFilter(new ColumnPaginationFilter(limit, 0));
    }
    try (Table table = connection.getTable(TABLE)) {
      return Arrays.stream(table.get(get).rawCells())
          .map(cell -> QUALIFIERS.decode(CellUtil.cloneQualifier(cell)).getLong("value"))
          .toList();
    }
  }

  @Override
  public boolean contains(Connection connection, String user, long value) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return table.exists(new Get(KEYS.encode(user)).addColumn(FAMILY, QUALIFIERS.encode(value)));
    }
  }
}
