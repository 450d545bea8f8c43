package dev.cairn.studies.joins;

import dev.cairn.studies.BatchWriter;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/** A join of the two tables when a question is asked. */
interface NormalisedJoin extends Join {
  @Override
  default String layout() {
    return TwoTables.LAYOUT;
  }

  @Override
  default Object storage() {
    return TwoTables.LAYOUT;
  }

  @Override
  default List<NewTable> tables(long facts) {
    return TwoTables.tables(facts);
  }

  @Override
  default FactWriter<Fact> writer(Connection connection) throws IOException {
    return new BatchWriter<>(TwoTables.open(connection), TwoTables::store);
  }

  @Override
  default void rename(Connection connection, Fact.Customer renamed) throws IOException {
    try (TwoTables tables = TwoTables.open(connection)) {
      tables.customers().put(TwoTables.put(renamed));
    }
  }
}
