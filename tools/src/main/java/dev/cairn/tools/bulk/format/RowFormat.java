package dev.cairn.tools.bulk.format;

import dev.cairn.tools.bulk.durable.DurableFiles;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

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
}
