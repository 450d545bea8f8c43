package dev.cairn.studies.indexes;

import dev.cairn.studies.Batches;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The table that has a row for each user. */
final class UserTable {
  static final TableName NAME = TableName.valueOf("users");
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] CITY = Bytes.toBytes("city");
  static final byte[] FULL_NAME = Bytes.toBytes("name");

  private UserTable() {}

  /**
   * Where a user lives.
   *
   * @param timestamp of the cell, that of the move
   */
  record Home(String city, long timestamp) {
    /** Returns the home of a row; empty if the user has left. */
    static Optional<Home> of(Result row) {
      Cell cell = row.getColumnLatestCell(FAMILY, CITY);
      return Optional.ofNullable(cell)
          .map(at -> new Home(Bytes.toString(CellUtil.cloneValue(at)), at.getTimestamp()));
    }
  }

  /** Returns the table, which has no index. */
  static TableDescriptorBuilder descriptor() {
    return descriptor(NAME);
  }

  /** Returns a table of users. */
  static TableDescriptorBuilder descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
  }

  /** Writes the rows of moves. */
  static void write(Table table, List<Move> moves) throws IOException {
    Batches.write(table, moves.stream().map(UserTable::mutation).toList());
  }

  private static Mutation mutation(Move move) {
    byte[] row = Bytes.toBytes(move.user());
    if (move.city().isEmpty()) {
      return new Delete(row, move.timestamp());
    }
    return new Put(row, move.timestamp())
        .addColumn(FAMILY, CITY, Bytes.toBytes(move.city().get()))
        .addColumn(FAMILY, FULL_NAME, Bytes.toBytes(User.name(move.user())));
  }

  /** Reads where users live. */
  static Map<String, Home> homes(Table table, List<Move> moves) throws IOException {
    Map<String, Home> homes = new HashMap<>();
    List<String> users = moves.stream().map(Move::user).distinct().toList();
    Batches.divide(
        users,
        part -> {
          for (Result row : table.get(cityGets(part))) {
            Home.of(row).ifPresent(home -> homes.put(Bytes.toString(row.getRow()), home));
          }
        });
    return homes;
  }

  /** Returns gets of users. */
  static List<Get> gets(List<String> users) {
    return users.stream().map(user -> new Get(Bytes.toBytes(user))).collect(Collectors.toList());
  }

  /** Returns gets of the cities of users. */
  static List<Get> cityGets(List<String> users) {
    return users.stream()
        .map(user -> new Get(Bytes.toBytes(user)).addColumn(FAMILY, CITY))
        .collect(Collectors.toList());
  }

  /** Returns the user of a row. */
  static User user(Result row) {
    return new User(
        Bytes.toString(row.getRow()),
        Bytes.toString(row.getValue(FAMILY, FULL_NAME)),
        Bytes.toString(row.getValue(FAMILY, CITY)));
  }

  /** Returns a scan whose filter finds the users of a city. */
  static Scan scan(String city) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(FAMILY, CITY, CompareOperator.EQUAL, Bytes.toBytes(city));
    // Without this, rows that have no city would match, too.
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }
}
