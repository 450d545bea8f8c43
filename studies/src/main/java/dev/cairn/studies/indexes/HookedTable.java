package dev.cairn.studies.indexes;

import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A class in the server writes the index: {@link IndexObserver}. A client writes the row alone, and
 * so cannot forget the index. Queries are those of {@link CheckedDualWrite}.
 */
record HookedTable() implements Pattern {
  @Override
  public String name() {
    return "coprocessor";
  }

  @Override
  public String layout() {
    return "users: user: f:city, f:name, with IndexObserver; users_by_city: city, user: e:name";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(Entries.PLAIN.table(), users());
  }

  private static NewTable users() {
    TableDescriptorBuilder users = UserTable.descriptor();
    try {
      users.setCoprocessor(
          CoprocessorDescriptorBuilder.newBuilder(IndexObserver.class.getName())
              .setProperty(IndexObserver.TABLE, Entries.NAME.getNameAsString())
              .build());
    } catch (IOException e) {
      throw new IllegalStateException("a class is named twice", e);
    }
    return new NewTable(users.build());
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
    return CheckedEntries.users(connection, city);
  }

  @Override
  public void repair(Connection connection, long before) throws IOException {
    new IndexRepair(connection, before).run();
  }
}
