package dev.cairn.server.hadoop;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.BlockLocation;
import dev.cairn.engine.storage.Storage.BytesRead;
import dev.cairn.engine.storage.Storage.StorageSpace;
import dev.cairn.engine.storage.StoragePaths;
import dev.cairn.engine.time.Clock;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.proto.ClientDatanodeProtocolProtos;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos;

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
  private static final String BUFFER_KEY = "io.file.buffer.size";
  private static final int BUFFER_BYTES = 4096;
  private static final String DATA = "data/";
  private static final String ARCHIVE = "archive/";

  private final FileSystem files;
  private final Path root;
  private final Clock clock;
  private final HdfsLogSettings logs;
  private final Executor logThreads;
  private final Optional<LogPlacement> placement; // on HDFS
  private final Optional<HdfsSpace> space; // on HDFS
  private final ReadTotals reads = new ReadTotals();
  private final LostBlocks lost = new LostBlocks();
  private final SyncPatience patience;
  private final Object renaming = new Object(); // makes "is it there" and "move it there" one step

  /**
   * Creates the storage. The directory need not exist; it comes into being with the first file.
   *
   * @param files closed with this storage
   * @param root a directory of {@code files}
   * @param logs how fenced files are written and sealed
   * @param clock times the seals and syncs of fenced files, and waits for them
   * @param logThreads runs the calls that a fenced file waits for; must never refuse or delay a
   *     task
   */
  public HadoopStorage(
      FileSystem files, Path root, HdfsLogSettings logs, Clock clock, Executor logThreads) {
    this.files = files;
    this.logs = logs;
    this.clock = clock;
    this.logThreads = logThreads;
    this.placement =
        files instanceof DistributedFileSystem hdfs
            ? Optional.of(new LogPlacement(hdfs, clock, logThreads))
            : Optional.empty();
    this.patience = new SyncPatience(logs.syncTimeout());
    this.root = root.makeQualified(files.getUri(), files.getWorkingDirectory());
    this.space =
        files instanceof DistributedFileSystem hdfs
            ? Optional.of(new HdfsSpace(hdfs, this.root))
            : Optional.empty();
  }

  /**
   * Loads the classes that read and write files on HDFS, for Java to record them. Opens nothing.
   */
  public static void load() {
    for (Class<?> one :
        List.of(
            HdfsLogFile.class,
            HadoopReadableFile.class,
            HdfsDataOutputStream.class,
            DFSOutputStream.class,
            DFSInputStream.class,
            DataTransferProtos.class,
            ClientDatanodeProtocolProtos.class)) {
      try {
        Class.forName(one.getName());
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * Connects to the file system that {@code directory} names by its scheme and host, to read files,
   * or to write files that are not fenced.
   *
   * @throws IOException if there is no driver for the scheme, or no server answers
   */
  public static HadoopStorage open(URI directory, Configuration settings, Clock clock)
      throws IOException {
    return new HadoopStorage(
        FileSystem.newInstance(directory, settings),
        new Path(directory),
        HdfsLogSettings.DEFAULTS,
        clock,
        Runnable::run);
  }

  /** Returns the default replication on HDFS, 0 elsewhere. */
  @Override
  public int replication() {
    return files instanceof DistributedFileSystem ? files.getDefaultReplication(root) : 0;
  }

  @Override
  public List<BlockLocation> blockLocations(String path) throws IOException {
    if (!(files instanceof DistributedFileSystem)) {
      return List.of();
    }
    Path file = resolve(path);
    List<BlockLocation> blocks = new ArrayList<>();
    for (org.apache.hadoop.fs.BlockLocation block :
        Uninterrupted.call(() -> files.getFileBlockLocations(file, 0, Long.MAX_VALUE))) {
      Set<String> hosts = new HashSet<>(Arrays.asList(block.getHosts()));
      for (String name : block.getNames()) {
        hosts.add(name.substring(0, name.lastIndexOf(':'))); // the port of a DataNode's address
      }
      blocks.add(new BlockLocation(block.getLength(), hosts));
    }
    return blocks;
  }

  @Override
  public Optional<StorageSpace> space() throws IOException {
    FsStatus status = Uninterrupted.call(() -> files.getStatus(root));
    return Optional.of(new StorageSpace(status.getRemaining(), status.getCapacity()));
  }

  @Override
  public Optional<BytesRead> bytesRead() {
    return files instanceof DistributedFileSystem ? Optional.of(reads.sum()) : Optional.empty();
  }

  @Override
  public AppendFile create(String path) throws IOException {
    return create(path, file -> SyncedBlocks.create(files, file));
  }

  @Override
  public AppendFile createIn(String path) throws IOException {
    return create(
        path,
        file -> {
          requireDirectory(file.getParent());
          return SyncedBlocks.createIn(files, file);
        });
  }

  /** Returns the size of the buffer of a file that is being written. */
  static int bufferBytes(FileSystem files) {
    return files.getConf().getInt(BUFFER_KEY, BUFFER_BYTES);
  }

  /**
   * Refuses a missing directory on file systems that may create it. HDFS refuses by itself,
   * atomically.
   */
  private void requireDirectory(Path directory) throws IOException {
    if (!(files instanceof DistributedFileSystem) && !isDirectory(directory)) {
      throw new FileNotFoundException(directory + " does not exist");
    }
  }

  /** Creates an empty file and opens it for writing. */
  @FunctionalInterface
  private interface Creation {
    FSDataOutputStream create(Path file) throws IOException;
  }

  private AppendFile create(String path, Creation creation) throws IOException {
    checkWritable();
    StoragePaths.checkBelowRoot(path);
    Path file = resolve(path);
    try {
      FSDataOutputStream out = Uninterrupted.call(() -> creation.create(file));
      return new HadoopAppendFile(path, files.getUri(), out, space);
    } catch (FileNotFoundException e) {
      throw failure(new NoSuchFileException(path, null, "its directory does not exist"), e);
    } catch (IOException e) {
      throw notCreated(path, e);
    }
  }

  /** Returns the exception to throw if a file could not be created. */
  private IOException notCreated(String path, IOException cause) throws IOException {
    // A NameNode that has not answered is not asked again.
    if (!PromptNameNode.isUnanswered(cause) && exists(path)) {
      return failure(new FileAlreadyExistsException(path), cause);
    }
    return DiskFullException.of(path, cause) instanceof DiskFullException full
        ? full
        : new IOException("Could not create " + path + ": " + Reason.of(cause), cause);
  }

  /** {@inheritDoc} Only HDFS can take a file away from its writer; other file systems refuse. */
  @Override
  public AppendFile createFenced(String path) throws IOException {
    LogPlacement placed = placement.orElseThrow(this::notFencing);
    StoragePaths.checkBelowRoot(path);
    Path file = resolve(path);
    try {
      FSDataOutputStream out = Uninterrupted.call(() -> placed.create(file));
      return new HdfsLogFile(
          new HadoopAppendFile(path, files.getUri(), out, space),
          file,
          out,
          placed,
          patience,
          clock,
          logThreads);
    } catch (FileNotFoundException e) {
      throw failure(new NoSuchFileException(path, null, "its directory does not exist"), e);
    } catch (IOException e) {
      throw notCreated(path, e);
    }
  }

  /** {@inheritDoc} Recovers the lease of the file until the NameNode has closed it. */
  @Override
  public long seal(String path) throws IOException {
    if (!(files instanceof DistributedFileSystem hdfs)) {
      throw notFencing();
    }
    StoragePaths.checkBelowRoot(path);
    Path file = resolve(path);
    try {
      if (status(file).isDirectory()) {
        throw new IOException(path + " is a directory, where a file was expected");
      }
      new LeaseRecovery(hdfs, clock, logs.lease()).recover(file);
      return status(file).getLen();
    } catch (FileNotFoundException e) {
      throw failure(new NoSuchFileException(path), e);
    }
  }

  private IOException notFencing() {
    return new IOException(
        files.getUri()
            + " cannot hold logs: only HDFS can take a file away from the server that writes it");
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    Path file = resolve(path);
    try {
      FileStatus status = status(file);
      if (status.isDirectory()) {
        throw new IOException(path + " is a directory, where a file was expected");
      }
      Optional<Path> archived =
          path.startsWith(DATA) ? Optional.of(place(ARCHIVE + path)) : Optional.empty();
      return Uninterrupted.call(
          () -> new HadoopReadableFile(path, files, status, archived, reads, lost));
    } catch (FileNotFoundException e) {
      throw failure(new NoSuchFileException(path), e);
    }
  }

  @Override
  public List<FileInfo> list(String directory) throws IOException {
    List<FileInfo> found = new ArrayList<>();
    try {
      Path path = resolve(directory);
      for (FileStatus status : Uninterrupted.call(() -> files.listStatus(path))) {
        if (status.getPath().equals(path)) { // how Hadoop lists a file
          throw new NotDirectoryException(directory + " is a file, where a directory was expected");
        }
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

  /** {@inheritDoc} HDFS checks the parent and creates the directory in one step. */
  @Override
  public void createDirectoryIn(String path) throws IOException {
    checkWritable();
    StoragePaths.checkBelowRoot(path);
    Path directory = resolve(path);
    try {
      if (files instanceof DistributedFileSystem hdfs) {
        Uninterrupted.run(() -> hdfs.mkdir(directory, FsPermission.getDirDefault()));
      } else {
        requireDirectory(directory.getParent());
        createDirectories(directory);
      }
    } catch (FileNotFoundException e) {
      throw failure(new NoSuchFileException(path, null, "its directory does not exist"), e);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    move(from, to, this::createDirectories);
  }

  @Override
  public void moveIn(String from, String to) throws IOException {
    move(
        from,
        to,
        directory -> {
          // HDFS refuses by itself; other file systems may create the directory.
          if (!exists(directory)) {
            throw new NoSuchFileException(from, to, "the target's directory does not exist");
          }
        });
  }

  /** Prepares the directory in which a name is about to appear. */
  @FunctionalInterface
  private interface Preparation {
    void prepare(Path directory) throws IOException;
  }

  private void move(String from, String to, Preparation preparation) throws IOException {
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
      preparation.prepare(target.getParent());
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

  /** {@inheritDoc} A fenced file that has failed is deleted later, on another thread. */
  @Override
  public boolean delete(String path) throws IOException {
    checkWritable();
    StoragePaths.checkBelowRoot(path);
    Path target = resolve(path);
    if (placement.isPresent() && placement.get().discard(target)) {
      return true;
    }
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
    // HDFS logs a name before anybody sees it.
  }

  @Override
  public String url(String path) {
    return place(path).toString();
  }

  /** Closes the file system; files that are still open fail from then on. */
  @Override
  public void close() throws IOException {
    try {
      if (placement.isPresent()) {
        placement.get().close();
      }
    } finally {
      files.close();
    }
  }

  @Override
  public String toString() {
    return root.toString();
  }

  /** Moves in one step; fails if anything is in the way. */
  private void move(Path source, Path target, Options.Rename how) throws IOException {
    placement.ifPresent(logs -> logs.keep(source));
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
