package dev.cairn.studies.tall;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;

/** A column for each item, by programs that read whole rows and choose in the client. */
record WideWhole() implements WideDesign {
  @Override
  public String name() {
    return "wide, rows read whole";
  }

  @Override
  public List<Item> page(Connection connection, Ask.Page asked) throws IOException {
    return all(connection, asked.user()).stream()
        .skip(asked.offset())
        .limit(asked.limit())
        .toList();
  }

  @Override
  public List<Item> period(Connection connection, Ask.Period asked) throws IOException {
    return all(connection, asked.user()).stream().filter(asked::contains).toList();
  }

  @Override
  public List<Item> all(Connection connection, String user) throws IOException {
    return WideRows.get(connection, user, new Get(WideRows.key(user)));
  }
}
