package dev.cairn.bench.load;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Table;

/**
 * Calls of one kind, without end.
 *
 * @param table on which; closed with it
 * @param call makes one call
 */
record CallTask(Table table, Call call) implements Task {
  /** One call, which reports its kind. */
  interface Call {
    void make(Done done) throws IOException;
  }

  @Override
  public boolean next(Done done) throws IOException {
    call.make(done);
    return true;
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
