package dev.cairn.studies.indexes;

import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/** A pattern whose client writes the rows, and the entries of an index table. */
interface DualWriteDesign extends Pattern {
  @Override
  default String layout() {
    return "users: user: f:city, f:name; users_by_city: city, user: e:name";
  }

  @Override
  default List<NewTable> tables(long facts) {
    return List.of(Entries.PLAIN.table(), new NewTable(UserTable.descriptor().build()));
  }

  @Override
  default Tables open(Connection connection) throws IOException {
    return Tables.open(connection, Entries.NAME);
  }

  @Override
  default void repair(Connection connection, long before) throws IOException {
    new IndexRepair(connection, before).run();
  }
}
