package dev.cairn.studies.indexes;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * The open tables of a writer. One thread.
 *
 * @param users the users
 * @param second the index, or the table of counts; the users again if a pattern has neither
 */
record Tables(Table users, Table second) implements Closeable {
  /** Opens the table of users and a second one. */
  static Tables open(Connection connection, TableName second) throws IOException {
    return new Tables(connection.getTable(UserTable.NAME), connection.getTable(second));
  }

  /** Opens the table of users alone. */
  static Tables open(Connection connection) throws IOException {
    return open(connection, UserTable.NAME);
  }

  @Override
  public void close() throws IOException {
    users.close();
    second.close();
  }
}
