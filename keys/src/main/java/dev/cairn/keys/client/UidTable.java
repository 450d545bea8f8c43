package dev.cairn.keys.client;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of names and the numbers that stand for them in keys, with the layout of OpenTSDB's table
 * of UIDs. Each kind, such as metrics or tag names, numbers its own names from 1.
 *
 * <table>
 *   <caption>The cells</caption>
 *   <tr><td>row</td><td>family</td><td>qualifier</td><td>value</td></tr>
 *   <tr><td>the name</td><td>id</td><td>the kind</td><td>the number, in the kind's width</td></tr>
 *   <tr><td>the number</td><td>name</td><td>the kind</td><td>the name</td></tr>
 *   <tr><td>00</td><td>id</td><td>the kind</td><td>the last number given, in eight bytes</td></tr>
 * </table>
 *
 * <p>Safe for use by several threads. Any number of processes may use the same table.
 */
public final class UidTable {
  static final byte[] NUMBERS = Bytes.toBytes("id");
  static final byte[] NAMES = Bytes.toBytes("name");
  static final byte[] LAST_NUMBER_ROW = {0};

  private final Connection connection;
  private final TableName table;
  private final Map<String, UidKind> kinds = new ConcurrentHashMap<>();

  /** Uses an existing table. The connection stays the caller's. */
  public UidTable(Connection connection, TableName table) {
    this.connection = connection;
    this.table = table;
  }

  /** Creates the table. */
  public static void create(Admin admin, TableName table) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(NUMBERS))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(NAMES))
            .build());
  }

  /**
   * Returns the names of one kind.
   *
   * @param kind the name of the kind, for example {@code metrics}
   * @param width the width of its numbers in bytes, from 1 to 8, which must not change; OpenTSDB
   *     has 3
   */
  public UidKind kind(String kind, int width) {
    UidKind found = kinds.computeIfAbsent(kind, any -> new UidKind(connection, table, kind, width));
    if (found.width() != width) {
      throw new IllegalArgumentException(
          kind + " has numbers of " + found.width() + " bytes, not " + width);
    }
    return found;
  }
}
