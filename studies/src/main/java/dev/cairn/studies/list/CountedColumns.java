package dev.cairn.studies.list;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row for each list, a column for each value: its name is the next number of a counter. The list
 * has the order in which numbers were given. A program that dies before it uses its number leaves a
 * gap, which does no harm.
 */
record CountedColumns() implements ListDesign {
  private static final TableName TABLE = TableName.valueOf("lists_counted");
  private static final KeyFormat KEYS = KeyFormat.parse("user string");
  private static final KeyFormat QUALIFIERS = KeyFormat.parse("number ulong desc");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COUNTERS = Bytes.toBytes("n");
  private static final byte[] LAST = Bytes.toBytes("last");

  @Override
  public String name() {
    return "columns by a counter";
  }

  @Override
  public String layout() {
    return KEYS + ": f:(" + QUALIFIERS + "); n:last";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(NewTable.of(TABLE, KEYS, FAMILY, COUNTERS));
  }

  @Override
  public void change(Connection connection, Change change) throws IOException {
    byte[] row = KEYS.encode(change.user());
    try (Table table = connection.getTable(TABLE)) {
      if (change.isRemoval()) {
        for (Cell cell : find(table, row, change.value())) {
          table.delete(new Delete(row).addColumns(FAMILY, CellUtil.cloneQualifier(cell)));
        }
      } else {
        long number = table.incrementColumnValue(row, COUNTERS, LAST, 1);
        byte[] column = QUALIFIERS.encode(number);
        table.put(new Put(row).addColumn(FAMILY, column, Bytes.toBytes(change.value())));
      }
    }
  }

  /** Returns the cells with a value. The server reads all of the list. */
  private static Cell[] find(Table table, byte[] row, long value) throws IOException {
    Filter filter =
        new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes(value)));
    return table.get(new Get(row).addFamily(FAMILY).setFilter(filter)).rawCells();
  }

  @Override
  public List<Long> latest(Connection connection, String user, int limit) throws IOException {
    Get get = new Get(KEYS.encode(user)).addFamily(FAMILY);
    if (limit < Integer.MAX_VALUE) {
      get.setFilter(new ColumnPaginationFilter(limit, 0));
    }
    try (Table table = connection.getTable(TABLE)) {
      return Arrays.stream(table.get(get).rawCells())
          .map(cell -> Bytes.toLong(CellUtil.cloneValue(cell)))
          .toList();
    }
  }

  @Override
  public boolean contains(Connection connection, String user, long value) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return find(table, KEYS.encode(user), value).length > 0;
    }
  }
}
