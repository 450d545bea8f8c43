package dev.cairn.studies.indexes;

import dev.cairn.studies.Batches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/** Reads an index whose entries may be wrong: the rows decide. */
final class CheckedEntries {
  private CheckedEntries() {}

  /** Returns the users of a city, as their rows have it. */
  static List<User> users(Connection connection, String city) throws IOException {
    List<User> users = new ArrayList<>();
    List<String> entries = Entries.PLAIN.users(connection, city).stream().map(User::id).toList();
    try (Table table = connection.getTable(UserTable.NAME)) {
      Batches.divide(
          entries,
          part -> {
            for (Result row : table.get(UserTable.gets(part))) {
              if (!row.isEmpty() && UserTable.user(row).city().equals(city)) {
                users.add(UserTable.user(row));
              }
            }
          });
    }
    return users;
  }
}
