package dev.cairn.studies.list;

import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/** A design for lists: a method for each kind of question. */
interface ListDesign extends Design<Change, Ask> {
  /** Makes a change, and returns when it is stored. */
  void change(Connection connection, Change change) throws IOException;

  /** Returns at most so many values, the latest one first. */
  List<Long> latest(Connection connection, String user, int limit) throws IOException;

  /** Returns whether a value is in a list. */
  boolean contains(Connection connection, String user, long value) throws IOException;

  /** Makes one change after the other. */
  @Override
  default FactWriter<Change> writer(Connection connection) throws IOException {
    return new FactWriter<>() {
      @Override
      public void write(Change change) throws IOException {
        change(connection, change);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  default List<?> answer(Connection connection, Ask asked) throws IOException {
    if (asked instanceof Ask.Latest latest) {
      return latest(connection, asked.user(), latest.limit());
    }
    if (asked instanceof Ask.Contains contains) {
      return List.of(contains(connection, asked.user(), contains.value()));
    }
    Ask.AddAndRemove both = (Ask.AddAndRemove) asked;
    for (Change.Kind kind : List.of(Change.Kind.ADD_FOR_A_WHILE, Change.Kind.REMOVE)) {
      long now = System.currentTimeMillis();
      change(connection, new Change(asked.user(), both.value(), kind, now));
    }
    return List.of(asked);
  }
}
