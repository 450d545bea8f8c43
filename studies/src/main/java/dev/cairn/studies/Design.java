package dev.cairn.studies;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A way to store the facts of a study. Immutable; safe for use by several threads.
 *
 * @param <F> a fact, as it arrives
 * @param <Q> what is asked
 */
public interface Design<F, Q> {
  /** Returns its name, in a few words. */
  String name();

  /** Returns how the facts become rows and cells, such as {@code host, time: f:value}. */
  String layout();

  /**
   * Returns its tables, with their regions.
   *
   * @param facts how many facts will be stored
   */
  List<NewTable> tables(long facts);

  /**
   * Begins to store facts. Several threads may store at the same time, each with a writer of its
   * own.
   */
  FactWriter<F> writer(Connection connection) throws IOException;

  /** Does the work that the design needs now and then, such as a job that makes summaries. */
  default void maintain(Connection connection) throws IOException {}

  /** Returns the answer to a question, the same as {@link Study#answer} does. */
  List<?> answer(Connection connection, Q asked) throws IOException;
}
