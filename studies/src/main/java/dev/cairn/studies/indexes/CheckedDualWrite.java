package dev.cairn.studies.indexes;

import dev.cairn.studies.Batches;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The client writes the new index entry, then the row, and then deletes the old entry. A query
 * reads the rows that the entries name, and believes these. Wherever a client dies, each row has
 * its entry, so that no query misses it; what is left over costs a query a read in vain, and goes
 * at the next {@link #repair}.
 */
record CheckedDualWrite() implements Pattern {
  @Override
  public String name() {
    return "dual write, entry first, checked";
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
        () -> Batches.write(tables.second(), changes.puts()),
        () -> UserTable.write(tables.users(), moves),
        () -> Batches.write(tables.second(), changes.deletes()));
  }

  @Override
  public List<User> users(Connection connection, String city) throws IOException {
    return CheckedEntries.users(connection, city);
  }

  @Override
  public void repair(Connection connection, long before) throws IOException {
    new IndexRepair(connection, before).run();
  }
}
