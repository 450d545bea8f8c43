package dev.cairn.tools.backup;

import dev.cairn.tools.bulk.durable.DurableFiles;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A folder of backups. Closing deletes it if it is new, empty and not to be kept. */
public final class NewFolder implements Closeable {
  private final FileSystem files;
  private final Path path;
  private boolean kept;

  private NewFolder(FileSystem files, Path path, boolean kept) {
    this.files = files;
    this.path = path;
    this.kept = kept;
  }

  /** Creates the folder, unless it exists. */
  public static NewFolder make(FileSystem files, Path path) throws IOException {
    boolean exists = files.exists(path);
    new DurableFiles(files).createDirectories(path);
    return new NewFolder(files, path, exists);
  }

  /** Keeps the folder. */
  public void keep() {
    kept = true;
  }

  @Override
  public void close() throws IOException {
    if (!kept && files.listStatus(path).length == 0) {
      files.delete(path, false);
    }
  }
}
