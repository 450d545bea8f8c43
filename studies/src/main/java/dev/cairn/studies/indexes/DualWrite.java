package dev.cairn.studies.indexes;

import dev.cairn.studies.Batches;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The client writes the row, then its index entry. A query believes the index. Short queries, but
 * if a client dies before it has written the entry, the row is not found by its city until {@link
 * #repair}, and is found by its earlier one.
 */
record DualWrite() implements Pattern {
  @Override
  public String name() {
    return "dual write, row first";
  }

  @Override
  public String layout() {
    return "users: user: f:city, f:name; users_by_city: city, user: e:name";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(Entries.PLAIN.table(), new NewTable(UserTable.descriptor().build()));
  }

  @Override
  public Tables open(Connection connection) throws IOException {
    return Tables.open(connection, Entries.NAME);
  }

  @Override
  public List<Step> steps(Tables tables, List<Move> moves) {
    IndexChanges changes = new IndexChanges(moves);
    return List.of(
        () -> changes.read(tables.users()),
        () -> UserTable.write(tables.users(), moves),
        () ->
            Batches.write(
                tables.second(),
                Stream.concat(changes.deletes().stream(), changes.puts().stream()).toList()));
  }

  @Override
  public List<User> users(Connection connection, String city) throws IOException {
    return Entries.PLAIN.users(connection, city);
  }

  @Override
  public long count(Connection connection, String city) throws IOException {
    return Entries.PLAIN.count(connection, city);
  }

  @Override
  public void repair(Connection connection, long before) throws IOException {
    new IndexRepair(connection, before).run();
  }
}
