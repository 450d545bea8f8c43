package dev.cairn.studies.indexes;

import dev.cairn.studies.Batches;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table has the number of users of each city, which the client increments after it has written
 * the row. It answers how many, and not which; for the latter there is a scan with a filter.
 */
record SummaryTable() implements Pattern {
  private static final TableName NAME = TableName.valueOf("users_in_city");
  private static final byte[] FAMILY = Bytes.toBytes("c");
  private static final byte[] USERS = Bytes.toBytes("users");
  private static final FilteredScan SCAN = new FilteredScan(false);

  @Override
  public String name() {
    return "summary table";
  }

  @Override
  public String layout() {
    return "users: user: f:city, f:name; users_in_city: city: c:users";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(
        new NewTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build()),
        new NewTable(UserTable.descriptor().build()));
  }

  @Override
  public Tables open(Connection connection) throws IOException {
    return Tables.open(connection, NAME);
  }

  @Override
  public List<Step> steps(Tables tables, List<Move> moves) {
    IndexChanges changes = new IndexChanges(moves);
    return List.of(
        () -> changes.read(tables.users()),
        () -> UserTable.write(tables.users(), moves),
        () -> Batches.write(tables.second(), increments(changes.counts())));
  }

  private static List<Increment> increments(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .filter(count -> count.getValue() != 0)
        .map(
            count ->
                new Increment(Bytes.toBytes(count.getKey()))
                    .addColumn(FAMILY, USERS, count.getValue()))
        .toList();
  }

  @Override
  public List<User> users(Connection connection, String city) throws IOException {
    return SCAN.users(connection, city);
  }

  @Override
  public long count(Connection connection, String city) throws IOException {
    try (Table counts = connection.getTable(NAME)) {
      byte[] value = counts.get(new Get(Bytes.toBytes(city))).getValue(FAMILY, USERS);
      return value == null ? 0 : Bytes.toLong(value);
    }
  }

  /**
   * Counts all users again. A count knows not which moves it contains, so no client may write
   * meanwhile, whatever {@code before} is.
   */
  @Override
  public void repair(Connection connection, long before) throws IOException {
    Map<String, Long> counts = new HashMap<>();
    Scans.list(connection, NAME, new Scan(), row -> counts.put(Bytes.toString(row.getRow()), 0L));
    Scans.list(
        connection,
        UserTable.NAME,
        new Scan().addColumn(UserTable.FAMILY, UserTable.CITY),
        row -> counts.merge(UserTable.user(row).city(), 1L, Long::sum));
    try (Table table = connection.getTable(NAME)) {
      Batches.write(
          table,
          counts.entrySet().stream()
              .map(
                  count ->
                      new Put(Bytes.toBytes(count.getKey()))
                          .addColumn(FAMILY, USERS, Bytes.toBytes(count.getValue())))
              .toList());
    }
  }
}
