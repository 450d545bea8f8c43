package dev.cairn.studies.indexes;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyValues;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The table of an index: a row for each user, by city. It also has the user's name, so that a query
 * need not read the row (a covered index). An entry has the timestamp of the move that made it, so
 * it is written twice without harm, and is deleted without an effect on a later entry of the same
 * city and user.
 *
 * @param format of the keys, with the parts {@code city} and {@code user} at its end
 * @param prefix the values of the parts before these
 */
record Entries(KeyFormat format, List<Object> prefix) {
  static final TableName NAME = TableName.valueOf("users_by_city");
  static final byte[] FAMILY = Bytes.toBytes("e");
  static final Entries PLAIN = new Entries(KeyFormat.parse("city string, user string"), List.of());
  private static final byte[] FULL_NAME = Bytes.toBytes("name");

  /** Copies the prefix. */
  Entries {
    prefix = List.copyOf(prefix);
  }

  /** Returns the table that is to be made. */
  NewTable table() {
    return new NewTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue(KeyFormat.TABLE_ATTRIBUTE, format.toString())
            .build());
  }

  /** Returns the key of an entry. */
  byte[] key(String city, String user) {
    return format.encode(with(city, user).toArray());
  }

  private List<Object> with(Object... values) {
    List<Object> all = new ArrayList<>(prefix);
    all.addAll(List.of(values));
    return all;
  }

  /** Returns the put of an entry. */
  Put put(String city, String user, long timestamp) {
    return put(key(city, user), user, timestamp);
  }

  /** Returns the put of an entry. */
  static Put put(byte[] key, String user, long timestamp) {
    return new Put(key, timestamp).addColumn(FAMILY, FULL_NAME, Bytes.toBytes(User.name(user)));
  }

  /** Returns the deletion of an entry that has a timestamp. */
  static Delete delete(byte[] key, long timestamp) {
    return new Delete(key, timestamp);
  }

  /** Returns the user of an entry. */
  User user(Result row) {
    KeyValues key = format.decode(row.getRow());
    return new User(
        key.getString("user"),
        Bytes.toString(row.getValue(FAMILY, FULL_NAME)),
        key.getString("city"));
  }

  /** Returns the users of a city, as the index has them. */
  List<User> users(Connection connection, String city) throws IOException {
    return Scans.list(connection, NAME, scan(city), this::user);
  }

  /** Returns how many entries a city has. */
  long count(Connection connection, String city) throws IOException {
    long count = 0;
    try (Table table = connection.getTable(NAME);
        ResultScanner rows = table.getScanner(scan(city).setFilter(new KeyOnlyFilter()))) {
      for (Result row : rows) {
        count += row.isEmpty() ? 0 : 1;
      }
    }
    return count;
  }

  private Scan scan(String city) {
    return Scans.of(format.range(with(city).toArray()).get(0));
  }
}
