package dev.cairn.tools.bulk.format;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Mutation;

/** Reads rows from one file, from its start. For one thread. */
public interface RowReader extends AutoCloseable {
  /**
   * Reads the next row.
   *
   * @param mutations receives the mutations that write the row: none if it is empty, two if it has
   *     puts and markers
   * @return false at the end of the file
   * @throws MalformedRowsException if the file is damaged; the message names it and the place
   */
  boolean next(Consumer<Mutation> mutations) throws IOException;

  /** Returns the approximate number of bytes of the file that have been read. */
  long position() throws IOException;

  @Override
  void close() throws IOException;
}
