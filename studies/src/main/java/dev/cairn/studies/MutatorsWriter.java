package dev.cairn.studies;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * Stores each fact as some mutations of some tables, through a buffer of the client for each table.
 * The mutations of a fact are neither atomic nor ordered. One thread.
 *
 * @param <F> a fact
 */
public final class MutatorsWriter<F> implements FactWriter<F> {
  /** A mutation of a table. */
  public record Change(TableName table, Mutation mutation) {}

  private final Connection connection;
  private final Function<F, List<Change>> changes;
  private final Map<TableName, BufferedMutator> mutators = new HashMap<>();

  /**
   * Creates a writer.
   *
   * @param changes returns the mutations that store a fact
   */
  public MutatorsWriter(Connection connection, Function<F, List<Change>> changes) {
    this.connection = connection;
    this.changes = changes;
  }

  @Override
  public void write(F fact) throws IOException {
    for (Change change : changes.apply(fact)) {
      mutator(change.table()).mutate(change.mutation());
    }
  }

  private BufferedMutator mutator(TableName table) throws IOException {
    BufferedMutator known = mutators.get(table);
    if (known != null) {
      return known;
    }
    BufferedMutator opened = connection.getBufferedMutator(table);
    mutators.put(table, opened);
    return opened;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (BufferedMutator mutator : mutators.values()) {
      try {
        mutator.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
