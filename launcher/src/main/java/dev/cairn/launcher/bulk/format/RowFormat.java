package dev.cairn.launcher.bulk.format;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A kind of file with rows. Immutable; for any number of threads. */
public interface RowFormat {
  /** Returns the suffix of its files' names; may be empty. */
  String extension();

  /** Returns one line that names the format and its settings. */
  String description();

  /** Creates a file, replacing what is there. */
  RowWriter create(FileSystem files, Path path) throws IOException;

  /**
   * Opens a file.
   *
   * @throws MalformedRowsException if the file has another format
   */
  RowReader open(FileSystem files, Path path) throws IOException;

  /**
   * Gives a whole file its name, replacing what is there.
   *
   * @param hidden the path with which it was created
   */
  default void publish(FileSystem files, Path hidden, Path name) throws IOException {
    files.delete(name, false);
    if (!files.rename(hidden, name)) {
      throw new IOException("cannot rename " + hidden + " to " + name);
    }
  }
}
