package dev.cairn.studies.list;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A list in one cell, to which changes of fixed width are appended: the value if it is added, its
 * complement, which is negative, if it is removed. Now and then, the cell is written again without
 * the values that were removed.
 */
record AppendedCell() implements ListDesign {
  private static final TableName TABLE = TableName.valueOf("lists_appended");
  private static final KeyFormat KEYS = KeyFormat.parse("user string");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] CHANGES = Bytes.toBytes("c");

  @Override
  public String name() {
    return "appended to one cell";
  }

  @Override
  public String layout() {
    return KEYS + ": f:c, 8 bytes for each change";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(NewTable.of(TABLE, FAMILY, KEYS));
  }

  @Override
  public void change(Connection connection, Change change) throws IOException {
    long entry = change.isRemoval() ? ~change.value() : change.value();
    Append append =
        new Append(KEYS.encode(change.user()))
            .addColumn(FAMILY, CHANGES, Bytes.toBytes(entry))
            .setReturnResults(false);
    try (Table table = connection.getTable(TABLE)) {
      table.append(append);
    }
  }

  @Override
  public List<Long> latest(Connection connection, String user, int limit) throws IOException {
    return values(bytes(connection, user)).stream().limit(limit).toList();
  }

  private static byte[] bytes(Connection connection, String user) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return bytes(table.get(new Get(KEYS.encode(user))));
    }
  }

  private static byte[] bytes(Result row) {
    return row.isEmpty() ? new byte[0] : row.getValue(FAMILY, CHANGES);
  }

  /** Returns the values that are left after all changes, the latest one first. */
  private static List<Long> values(byte[] bytes) {
    List<Long> values = new ArrayList<>();
    Set<Long> removed = new HashSet<>();
    // From the end: the removal of a value comes before it.
    for (int at = bytes.length - Long.BYTES; at >= 0; at -= Long.BYTES) {
      long entry = Bytes.toLong(bytes, at);
      if (entry < 0) {
        removed.add(~entry);
      } else if (!removed.remove(entry)) {
        values.add(entry);
      }
    }
    return values;
  }

  @Override
  public boolean contains(Connection connection, String user, long value) throws IOException {
    return values(bytes(connection, user)).contains(value);
  }

  /** Writes the cells again that have removed values, unless they change meanwhile. */
  @Override
  public void maintain(Connection connection) throws IOException {
    for (Result row : Scans.list(connection, TABLE, new Scan(), found -> found)) {
      byte[] before = bytes(row);
      List<Long> values = new ArrayList<>(values(before));
      if (values.size() * Long.BYTES < before.length) {
        Collections.reverse(values);
        ByteBuffer after = ByteBuffer.allocate(values.size() * Long.BYTES);
        values.forEach(after::putLong);
        try (Table table = connection.getTable(TABLE)) {
          table.checkAndMutate(
              CheckAndMutate.newBuilder(row.getRow())
                  .ifEquals(FAMILY, CHANGES, before)
                  .build(new Put(row.getRow()).addColumn(FAMILY, CHANGES, after.array())));
        }
      }
    }
  }
}
