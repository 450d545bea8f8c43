package dev.cairn.studies.indexes;

import dev.cairn.studies.Batches;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The client writes the new index entry, then the row, and then deletes the old entry. A query
 * reads the rows that the entries name, and believes these. Wherever a client dies, each row has
 * its entry, so that no query misses it; what is left over costs a query a read in vain, and goes
 * at the next {@link #repair}.
 */
record CheckedDualWrite() implements DualWriteDesign {
  @Override
  public String name() {
    return "dual write, entry first, checked";
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
}
