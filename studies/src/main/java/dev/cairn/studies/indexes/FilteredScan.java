package dev.cairn.studies.indexes;

import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A scan with a filter, which reads all rows; or only those that match, if the table has Cairn's
 * built-in index of the column. The program is the same.
 *
 * @param indexed whether the table has the index
 */
record FilteredScan(boolean indexed) implements Pattern {
  @Override
  public String name() {
    return indexed ? "built-in index" : "filter query";
  }

  @Override
  public String layout() {
    return "users: user: f:city, f:name" + (indexed ? "; cairn.index.by_city = f:city" : "");
  }

  @Override
  public List<NewTable> tables(long facts) {
    TableDescriptorBuilder users = UserTable.descriptor();
    if (indexed) {
      users.setValue("cairn.index.by_city", "f:city");
    }
    return List.of(new NewTable(users.build()));
  }

  @Override
  public Tables open(Connection connection) throws IOException {
    return Tables.open(connection);
  }

  @Override
  public List<Step> steps(Tables tables, List<Move> moves) {
    return List.of(() -> UserTable.write(tables.users(), moves));
  }

  @Override
  public List<User> users(Connection connection, String city) throws IOException {
    return Scans.list(connection, UserTable.NAME, UserTable.scan(city), UserTable::user);
  }

  @Override
  public long count(Connection connection, String city) throws IOException {
    // The filter needs the column, so that the scan cannot leave out its value.
    return Scans.list(
            connection,
            UserTable.NAME,
            UserTable.scan(city).addColumn(UserTable.FAMILY, UserTable.CITY),
            row -> true)
        .size();
  }
}
