package dev.cairn.launcher.bulk.durable;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.server.hadoop.SyncedBlocks;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * Creates, renames and deletes files of a file system of Hadoop. What a call has done survives a
 * power cut once the call has returned; a file does once its stream is closed.
 *
 * <p>On the local disk this class syncs content and names itself, because Hadoop syncs neither. On
 * HDFS a name is safe as soon as it is seen; the content is synced on each DataNode. On other file
 * systems, such as object stores, a file is as safe as its closing makes it.
 *
 * <p>Thread-safe.
 *
 * @param files the file system
 */
public record DurableFiles(FileSystem files) {
  private static final String LOCAL = "file";

  /** Tells whether the files are on the local disk. */
  public boolean isLocal() {
    return LOCAL.equals(files.getUri().getScheme());
  }

  /** Creates a file, replacing what is there. */
  public FSDataOutputStream create(Path path) throws IOException {
    return new SyncedFile(SyncedBlocks.replace(files, path), path);
  }

  /** Creates a directory and those above it; one that exists is made safe. */
  public void createDirectories(Path path) throws IOException {
    Deque<Path> created = new ArrayDeque<>();
    Path directory = files.makeQualified(path);
    created.push(directory);
    for (Path above = directory.getParent();
        above != null && !files.exists(above);
        above = above.getParent()) {
      created.push(above);
    }
    if (!files.mkdirs(directory)) {
      throw new IOException("cannot create the folder " + directory);
    }
    for (Path one : created) {
      syncNames(one.getParent());
    }
  }

  /** Renames a file or directory; both directories must exist, and nothing be at {@code to}. */
  public void rename(Path from, Path to) throws IOException {
    if (!files.rename(from, to)) {
      throw new IOException("cannot rename " + from + " to " + to);
    }
    Path source = files.makeQualified(from).getParent();
    Path target = files.makeQualified(to).getParent();
    syncNames(target);
    if (!source.equals(target)) {
      syncNames(source);
    }
  }

  /** Deletes a file, or a directory with its content; nothing happens if there is nothing. */
  public void delete(Path path) throws IOException {
    if (files.delete(path, true)) {
      syncNames(files.makeQualified(path).getParent());
    }
  }

  private void syncNames(Path directory) throws IOException {
    // A user may create files in a directory that he may not read, but cannot sync it.
    if (isLocal() && directory != null && Files.isReadable(local(directory))) {
      new LocalStorage(local(directory)).syncDirectory("");
    }
  }

  private java.nio.file.Path local(Path path) {
    return java.nio.file.Path.of(files.makeQualified(path).toUri().getPath());
  }

  /** A file that is safe once it is closed. */
  private final class SyncedFile extends FSDataOutputStream {
    private final Path path;
    private boolean closed;

    SyncedFile(FSDataOutputStream out, Path path) throws IOException {
      super(out, null);
      this.path = path;
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      try (FSDataOutputStream whole = (FSDataOutputStream) getWrappedStream()) {
        if (whole.hasCapability(StreamCapabilities.HSYNC)) {
          whole.hsync();
        }
      }
      if (isLocal()) {
        LocalStorage folder = new LocalStorage(local(path).getParent());
        folder.syncContent(path.getName());
        String checksums = "." + path.getName() + ".crc"; // of Hadoop's LocalFileSystem
        if (folder.exists(checksums)) {
          folder.syncContent(checksums);
        }
        syncNames(files.makeQualified(path).getParent());
      }
    }
  }
}
