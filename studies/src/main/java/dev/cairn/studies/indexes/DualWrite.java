package dev.cairn.studies.indexes;

import dev.cairn.studies.Batches;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The client writes the row, then its index entry. A query believes the index. Short queries, but
 * if a client dies before it has written the entry, the row is not found by its city until {@link
 * #repair}, and is found by its earlier one.
 */
record DualWrite() implements DualWriteDesign {
  @Override
  public String name() {
    return "dual write, row first";
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
}
