package dev.cairn.studies.tall;

import dev.cairn.studies.Design;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/** A design for items: a method for each kind of question. */
interface ItemDesign extends Design<Item, Ask> {
  /** Returns an item as a list of one; empty if there is none. */
  List<Item> one(Connection connection, Ask.One asked) throws IOException;

  /** Returns a page. */
  List<Item> page(Connection connection, Ask.Page asked) throws IOException;

  /** Returns the items of a period. */
  List<Item> period(Connection connection, Ask.Period asked) throws IOException;

  /** Returns all items of a user. */
  List<Item> all(Connection connection, String user) throws IOException;

  @Override
  default List<Item> answer(Connection connection, Ask asked) throws IOException {
    if (asked instanceof Ask.One one) {
      return one(connection, one);
    }
    if (asked instanceof Ask.Page page) {
      return page(connection, page);
    }
    if (asked instanceof Ask.Period period) {
      return period(connection, period);
    }
    return all(connection, asked.user());
  }
}
