package dev.cairn.tools.bulk.format;

import dev.cairn.tools.bulk.durable.DurableFiles;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;

/** A kind of file with rows. Immutable; for any number of threads. */
public interface RowFormat {
  /** Returns the suffix of its files' names; may be empty. */
  String extension();

  /** Returns one line that names the format and its settings. */
  String description();

  /** Creates a file, or replaces it. It is safe from a power cut once the writer is closed. */
  RowWriter create(FileSystem files, Path path) throws IOException;

  /**
   * Opens a file.
   *
   * @throws MalformedRowsException if the file has another format
   */
  RowReader open(FileSystem files, Path path) throws IOException;

  /**
   * Renames a whole file to its final name, and replaces a file there. The name is safe from a
   * power cut once this returns.
   *
   * @param hidden the path with which it was created
   */
  default void publish(FileSystem files, Path hidden, Path name) throws IOException {
    files.delete(name, false);
    new DurableFiles(files).rename(hidden, name);
  }

  /** Reads rows from one file, from its start. For one thread. */
  interface RowReader extends AutoCloseable {
    /**
     * Reads the next row.
     *
     * @param mutations receives the mutations that write the row: none if it is empty, two if it
     *     has puts and markers
     * @return false at the end of the file
     * @throws MalformedRowsException if the file is damaged; the message names it and the place
     */
    boolean next(Consumer<Mutation> mutations) throws IOException;

    /** Returns the approximate number of bytes of the file that have been read. */
    long position() throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * Writes rows to one file. For one thread. The file is whole once {@link #close} has returned.
   */
  interface RowWriter extends AutoCloseable {
    /**
     * Appends a row.
     *
     * @throws MalformedRowsException if the format cannot hold it; the message names the row
     */
    void write(Result row) throws IOException;

    @Override
    void close() throws IOException;
  }
}
