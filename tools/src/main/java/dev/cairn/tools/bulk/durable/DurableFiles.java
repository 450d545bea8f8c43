package dev.cairn.tools.bulk.durable;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.LocalSync;
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
 * Creates, renames and deletes files of a file system of Hadoop. The effect of a call survives a
 * power cut once the call has returned. The content of a file does once its stream is closed.
 *
 * <p>On the local disk this class syncs content and names itself, because Hadoop syncs neither. On
 * HDFS the NameNode syncs a name before it answers, and each DataNode syncs the content. Other file
 * systems, such as object stores, give only the guarantees of closing a file.
 *
 * <p>Thread-safe.
 *
 * @param files the file system
 * @param sync syncs names on the local disk
 */
public record DurableFiles(FileSystem files, LocalSync sync) {
  private static final String LOCAL = "file";

  /** Creates the files of a file system on this machine's disks, or on others. */
  public DurableFiles(FileSystem files) {
    this(files, LocalSync.SYSTEM);
  }

  /** Tells whether the files are on the local disk. */
  public boolean isLocal() {
    return LOCAL.equals(files.getUri().getScheme());
  }

  /** Creates a file, or replaces it. */
  public FSDataOutputStream create(Path path) throws IOException {
    return new SyncedFile(SyncedBlocks.replace(files, path), path);
  }

  /** Creates a directory and those above it. Syncs its name even if it exists. */
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

  /** Renames a file or directory. Both parents must exist; {@code to} must not. */
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

  /** Deletes a file, or a directory with its content. Does nothing if the path does not exist. */
  public void delete(Path path) throws IOException {
    if (files.delete(path, true)) {
      syncNames(files.makeQualified(path).getParent());
    }
  }

  /** Syncs the names in a directory, which another process may not have synced. */
  public void syncNames(Path directory) throws IOException {
    // A user without read permission may create files in a directory, but cannot sync it.
    if (isLocal() && directory != null && Files.isReadable(local(directory))) {
      sync.directory(local(directory));
    }
  }

  private java.nio.file.Path local(Path path) {
    return java.nio.file.Path.of(files.makeQualified(path).toUri().getPath());
  }

  /** A file that survives a power cut once it is closed. */
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
