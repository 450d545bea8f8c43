package dev.cairn.studies.list;

import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorsWriter;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * A design whose changes read nothing, so that many are sent together. The client's buffer does not
 * keep their order. So puts and deletes of a value have the time of the change as their timestamp,
 * and the latest one counts, whichever arrives last. A delete hides a put of the same time.
 */
interface BlindDesign extends ListDesign {
  /** Returns its table. */
  TableName table();

  /** Returns the put or delete that makes a change; empty if nothing is to be done. */
  Optional<Mutation> mutation(Change change);

  @Override
  default FactWriter<Change> writer(Connection connection) {
    return new MutatorsWriter<>(
        connection,
        change ->
            mutation(change).stream()
                .map(mutation -> new MutatorsWriter.Change(table(), mutation))
                .toList());
  }

  @Override
  default void change(Connection connection, Change change) throws IOException {
    try (Table table = connection.getTable(table())) {
      Mutation mutation = mutation(change).orElse(null);
      if (mutation instanceof Put put) {
        table.put(put);
      } else if (mutation instanceof Delete delete) {
        table.delete(delete);
      }
    }
  }
}
