package dev.cairn.tools.bulk.format;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;

/** Writes rows to one file. For one thread. The file is whole once {@link #close} has returned. */
public interface RowWriter extends AutoCloseable {
  /**
   * Appends a row.
   *
   * @throws MalformedRowsException if the format cannot hold it; the message names the row
   */
  void write(Result row) throws IOException;

  @Override
  void close() throws IOException;
}
