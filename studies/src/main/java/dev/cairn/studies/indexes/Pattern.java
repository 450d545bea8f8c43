package dev.cairn.studies.indexes;

import dev.cairn.studies.BatchWriter;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/** A way to find the users of a city. */
interface Pattern extends Design<Move, CityQuery> {
  /** A request, or some to one table, that a client makes before the next step. */
  interface Step {
    /** Makes the request. */
    void run() throws IOException;
  }

  /** Opens the tables that a writer needs. */
  Tables open(Connection connection) throws IOException;

  /**
   * Returns the steps that store moves, in their order. A client may die between any two of them,
   * and other clients may write and read meanwhile.
   *
   * @param moves in the order of their numbers
   */
  List<Step> steps(Tables tables, List<Move> moves);

  /**
   * Removes what clients that died, or that wrote the same row at the same time, have left wrong.
   *
   * @param before the timestamp of the oldest move that may be in progress; what later moves have
   *     written is left alone
   */
  default void repair(Connection connection, long before) throws IOException {}

  /** Stores moves in batches, each step by step. */
  @Override
  default FactWriter<Move> writer(Connection connection) throws IOException {
    return new BatchWriter<>(
        open(connection),
        (tables, moves) -> {
          for (Step step : steps(tables, moves)) {
            step.run();
          }
        });
  }

  @Override
  default List<?> answer(Connection connection, CityQuery asked) throws IOException {
    return asked.counted()
        ? List.of(new CityQuery.Count(asked.city(), count(connection, asked.city())))
        : users(connection, asked.city());
  }

  /** Returns the users of a city, in the order of their ids. */
  List<User> users(Connection connection, String city) throws IOException;

  /** Returns the number of users of a city. */
  default long count(Connection connection, String city) throws IOException {
    return users(connection, city).size();
  }
}
