package dev.cairn.studies;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;

/**
 * Runs an operation for each fact, many in a request: those that the client's buffer does not take,
 * such as appends. One thread.
 *
 * @param <F> a fact
 */
public final class OperationWriter<F> implements FactWriter<F> {
  private static final int AT_ONCE = 1_000;

  private final Table table;
  private final IoFunction<F, Row> operation;
  private List<Row> waiting = new ArrayList<>();

  /**
   * Creates a writer.
   *
   * @param operation returns the operation that stores a fact
   */
  public OperationWriter(Connection connection, TableName table, IoFunction<F, Row> operation)
      throws IOException {
    this.table = connection.getTable(table);
    this.operation = operation;
  }

  @Override
  public void write(F fact) throws IOException {
    waiting.add(operation.apply(fact));
    if (waiting.size() == AT_ONCE) {
      flush();
    }
  }

  private void flush() throws IOException {
    List<Row> operations = waiting;
    waiting = new ArrayList<>(); // operations that fail are not run again: some may have been
    try {
      table.batch(operations, new Object[operations.size()]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while facts are stored");
    }
  }

  @Override
  public void close() throws IOException {
    try (Table closed = table) {
      flush();
    }
  }
}
