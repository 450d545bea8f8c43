package dev.cairn.studies.tall;

import dev.cairn.studies.FactWriter;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/** A column for each item. Implementations differ in how they read rows. */
interface WideDesign extends ItemDesign {
  @Override
  default String layout() {
    return WideRows.layout();
  }

  @Override
  default Object storage() {
    return WideRows.TABLE;
  }

  @Override
  default List<NewTable> tables(long facts) {
    return WideRows.tables();
  }

  @Override
  default FactWriter<Item> writer(Connection connection) throws IOException {
    return WideRows.writer(connection);
  }

  @Override
  default List<Item> one(Connection connection, Ask.One asked) throws IOException {
    return WideRows.one(connection, asked);
  }
}
