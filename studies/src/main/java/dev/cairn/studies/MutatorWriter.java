package dev.cairn.studies;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * Stores each fact as one mutation of one table, through the client's buffer. One thread.
 *
 * @param <F> a fact
 */
public final class MutatorWriter<F> implements FactWriter<F> {
  private final BufferedMutator mutator;
  private final IoFunction<F, Mutation> mutation;

  /**
   * Creates a writer.
   *
   * @param mutation returns the mutation that stores a fact
   */
  public MutatorWriter(Connection connection, TableName table, IoFunction<F, Mutation> mutation)
      throws IOException {
    this.mutator = connection.getBufferedMutator(table);
    this.mutation = mutation;
  }

  @Override
  public void write(F fact) throws IOException {
    mutator.mutate(mutation.apply(fact));
  }

  @Override
  public void close() throws IOException {
    mutator.close();
  }
}
