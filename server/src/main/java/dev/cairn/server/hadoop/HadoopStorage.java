package dev.cairn.server.hadoop;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StoragePaths;
import dev.cairn.engine.storage.StorageSpace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Files in a directory of a Hadoop file system. Thread-safe.
 *
 * <p>Reading works on every file system that Hadoop has a driver for. Writing needs what {@link
 * Storage} promises, renames that are atomic and syncs that reach a device: HDFS and, for tests,
 * Hadoop's local file system have both; others (object stores, for one) are refused with an error
 * at the first write. Two promises are weaker than elsewhere: on HDFS an open file outlives its
 * renaming but not, for long, its deletion; and on Hadoop's local file system a name may be lost in
 * a power cut, which {@code LocalStorage} prevents.
 */
public final class HadoopStorage implements Storage {
  private final FileSystem files;
  private final Path root;
  private final Object renaming = new Object(); // makes "is it there" and "move it there" one step

  /**
   * Creates the storage. The directory need not exist; it comes into being with the first file.
   *
   * @param files closed with this storage
   * @param root a directory of {@code files}
   */
  public HadoopStorage(FileSystem files, Path root) {
    this.files = files;
    this.root = root.makeQualified(files.getUri(), files.getWorkingDirectory());
  }

  /**
   * Connects to the file system that {@code directory} names by its scheme and host.
   *
   * @throws IOException if there is no driver for the scheme, or nobody answers
   */
  public static HadoopStorage open(URI directory, Configuration settings) throws IOException {
    return new HadoopStorage(FileSystem.newInstance(directory, settings), new Path(directory));
  }

  @Override
  public Optional<StorageSpace> space() throws IOException {
    FsStatus status = Uninterrupted.call(() -> files.getStatus(root));
    return Optional.of(new StorageSpace(status.getRemaining(), status.getCapacity()));
  }

  @Override
  public AppendFile create(String path) throws IOException {
    checkWritable();
    StoragePaths.checkBelowRoot(path);
    Path file = resolve(path);
    try {
      FSDataOutputStream out = Uninterrupted.call(() -> files.create(file, false));
      return new HadoopAppendFile(path, files.getUri(), out);
    } catch (IOException e) {
      if (exists(path)) {
        throw failure(new FileAlreadyExistsException(path), e);
      }
      if (DiskFullException.of(path, e) instanceof DiskFullException full) {
        throw full;
      }
      throw new IOException("Could not create " + path + ": " + e.getMessage(), e);
    }
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    Path file = resolve(path);
    try {
      FileStatus status = status(file);
      if (status.isDirectory()) {
        throw new IOException(path + " is a directory, where a file was expected");
      }
      return Uninterrupted.call(() -> new HadoopReadableFile(path, files, status));
    } catch (FileNotFoundException e) {
      throw failure(new NoSuchFileException(path), e);
    }
  }

  @Override
  public List<FileInfo> list(String directory) throws IOException {
    List<FileInfo> found = new ArrayList<>();
    try {
      Path path = resolve(directory);
      if (!status(path).isDirectory()) {
        throw new NotDirectoryException(directory + " is a file, where a directory was expected");
      }
      for (FileStatus status : Uninterrupted.call(() -> files.listStatus(path))) {
        found.add(
            new FileInfo(
                Storage.join(directory, status.getPath().getName()),
                status.isDirectory(),
                status.isDirectory() ? 0 : status.getLen(),
                status.getModificationTime()));
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    found.sort(Comparator.comparing(FileInfo::path));
    return found;
  }

  @Override
  public boolean exists(String path) throws IOException {
    return exists(resolve(path));
  }

  @Override
  public void createDirectories(String path) throws IOException {
    checkWritable();
    createDirectories(resolve(path));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    checkWritable();
    StoragePaths.checkBelowRoot(from);
    StoragePaths.checkBelowRoot(to);
    Path source = resolve(from);
    Path target = resolve(to);
    synchronized (renaming) {
      if (!exists(source)) {
        throw new NoSuchFileException(from);
      }
      if (exists(target)) {
        throw new FileAlreadyExistsException(to);
      }
      createDirectories(target.getParent());
      try {
        move(source, target, Options.Rename.NONE);
      } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
        throw failure(new FileAlreadyExistsException(to), e);
      } catch (FileNotFoundException e) {
        throw failure(new NoSuchFileException(from), e);
      }
    }
  }

  @Override
  public void replace(String from, String to) throws IOException {
    checkWritable();
    StoragePaths.checkBelowRoot(from);
    StoragePaths.checkBelowRoot(to);
    Path source = resolve(from);
    Path target = resolve(to);
    synchronized (renaming) {
      if (isDirectory(target)) {
        throw new IOException(to + " is a directory and cannot be replaced by the file " + from);
      }
      if (isDirectory(source)) {
        throw new IOException(from + " is a directory, where a file was expected");
      }
      if (!exists(source)) {
        throw new NoSuchFileException(from);
      }
      createDirectories(target.getParent());
      move(source, target, Options.Rename.OVERWRITE);
    }
  }

  @Override
  public boolean delete(String path) throws IOException {
    checkWritable();
    StoragePaths.checkBelowRoot(path);
    Path target = resolve(path);
    if (Uninterrupted.call(() -> files.delete(target, true))) {
      return true;
    }
    if (exists(target)) {
      throw new IOException("Could not delete " + path + " on " + files.getUri());
    }
    return false;
  }

  @Override
  public void syncDirectory(String path) {
    // HDFS has a name in its own log before anybody sees it.
  }

  /** Closes the file system; files that are still open fail from then on. */
  @Override
  public String url(String path) {
    return place(path).toString();
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  @Override
  public String toString() {
    return root.toString();
  }

  /** Moves in one step; fails if anything is in the way. */
  private void move(Path source, Path target, Options.Rename how) throws IOException {
    if (files instanceof DistributedFileSystem hdfs) {
      Uninterrupted.run(() -> hdfs.rename(source, target, how));
    } else if (!Uninterrupted.call(() -> files.rename(source, target))) {
      throw new IOException("Could not rename " + source + " to " + target);
    }
  }

  private void createDirectories(Path directory) throws IOException {
    if (!Uninterrupted.call(() -> files.mkdirs(directory))) {
      throw new IOException("Could not create the directory " + directory);
    }
  }

  private boolean exists(Path path) throws IOException {
    return Uninterrupted.call(() -> files.exists(path));
  }

  private FileStatus status(Path path) throws IOException {
    return Uninterrupted.call(() -> files.getFileStatus(path));
  }

  private boolean isDirectory(Path path) throws IOException {
    try {
      return status(path).isDirectory();
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  private void checkWritable() throws IOException {
    boolean keepsItsWord =
        files instanceof DistributedFileSystem
            || files instanceof RawLocalFileSystem
            || files instanceof LocalFileSystem;
    if (!keepsItsWord) {
      throw new IOException(
          files.getUri()
              + " can only be read here: writing needs atomic renames and syncs, which are known of"
              + " HDFS alone");
    }
  }

  private Path resolve(String path) throws IOException {
    StoragePaths.check(path);
    return place(path);
  }

  /** By parts, because a path in one string would take a colon in a name for a scheme's. */
  private Path place(String path) {
    if (path.isEmpty()) {
      return root;
    }
    URI uri = root.toUri();
    String base = uri.getPath().endsWith("/") ? uri.getPath() : uri.getPath() + "/";
    return new Path(uri.getScheme(), uri.getAuthority(), base + path);
  }

  private static <E extends IOException> E failure(E failure, IOException cause) {
    failure.initCause(cause);
    return failure;
  }
}
