package dev.cairn.studies.joins;

import dev.cairn.studies.Design;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;

/** A way to join customers and orders. */
interface Join extends Design<Fact, Ask> {
  /** Gives a customer a name, in every place where it is stored. */
  void rename(Connection connection, Fact.Customer renamed) throws IOException;
}
