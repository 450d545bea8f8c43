package dev.cairn.studies;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Admin;
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

  /** Returns what it needs and this process lacks, such as a library; empty if it can be used. */
  default Optional<String> missing() {
    return Optional.empty();
  }

  /**
   * Returns how facts are stored. Designs that follow each other and return equal objects store
   * them in the same way, and are measured on the same tables.
   */
  default Object storage() {
    return this;
  }

  /**
   * Returns its tables, with their regions.
   *
   * @param facts how many facts will be stored
   */
  List<NewTable> tables(long facts);

  /** Makes its tables; in place of those of their names, if there are any. */
  default void create(Connection connection, long facts) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (NewTable table : tables(facts)) {
        table.create(admin);
      }
    }
  }

  /** Removes its tables. */
  default void drop(Connection connection, long facts) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (NewTable table : tables(facts)) {
        table.drop(admin);
      }
    }
  }

  /**
   * Begins to store facts. Several threads may store at the same time, each with a writer of its
   * own.
   */
  FactWriter<F> writer(Connection connection) throws IOException;

  /** Does the work that the design needs now and then, such as a job that makes summaries. */
  default void maintain(Connection connection) throws IOException {}

  /** Tells whether answers lack the facts since the last {@link #maintain}. */
  default boolean needsMaintenance() {
    return false;
  }

  /** Tells whether an answer takes a job, which lasts a second or longer with few facts, too. */
  default boolean answersByJobs() {
    return false;
  }

  /** Returns the answer to a question, the same as {@link Study#answer} does. */
  List<?> answer(Connection connection, Q asked) throws IOException;
}
