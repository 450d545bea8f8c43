package dev.cairn.engine.storage;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A tree of write-once files.
 *
 * <p>Paths are relative to the storage's root, separated by {@code /}, without a leading or
 * trailing slash and without {@code .} or {@code ..}; the root itself is the empty string.
 *
 * <p>A power cut keeps: the bytes of a file up to its last {@link AppendFile#sync}, and its name
 * once that sync has returned; a {@link #rename}, {@link #delete}, {@link #createDirectories} or
 * {@link #createDirectoryIn} once it has returned. The death of a process keeps everything written.
 *
 * <p>Thread-safe. Errors are {@link IOException}s whose message names the path. An operation that
 * needs room and finds none fails with a {@link DiskFullException}. A change of names that fails
 * may have happened all the same, and may then be undone by a power cut.
 */
public interface Storage extends Closeable {
  /**
   * Creates a file and the directories above it.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
   */
  AppendFile create(String path) throws IOException;

  /**
   * Creates a file that {@link #seal} can take away from its writer, in a directory that exists.
   * The writer costs more than that of {@link #create}: it may look at the disk after each flush
   * and sync.
   *
   * @throws java.nio.file.NoSuchFileException if the directory does not exist
   * @throws java.nio.file.FileAlreadyExistsException if there is a file of that name
   */
  AppendFile createFenced(String path) throws IOException;

  /**
   * Seals a file that was created by {@link #createFenced}: takes it away from its writer. The
   * writer may run in another process or on another machine, or may be paused between two
   * instructions.
   *
   * <p>After the call has returned, no flush or sync of more bytes by a surviving writer succeeds.
   * Every byte whose flush or sync was reported as successful, before or during the call, is within
   * the returned length. {@link #open} and {@link #list} show that length from then on, whatever a
   * surviving writer does. The seal and the bytes survive a power cut, and a later rename keeps
   * them. If the call fails, the writer may have lost the file nevertheless; the call can be
   * repeated.
   *
   * <p>A file that is closed, or sealed already, stays as it is. The writer of a file that was not
   * created by {@link #createFenced} may go on unhindered, but {@link #open} does not show what it
   * writes.
   *
   * <p>May take long if other machines must agree. Fails after a timeout, with a message that says
   * what it waited for.
   *
   * @return the final length of the file, bytes
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  long seal(String path) throws IOException;

  /**
   * Creates a file in a directory that exists. Never creates directories.
   *
   * @throws java.nio.file.NoSuchFileException if the directory does not exist
   * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
   */
  AppendFile createIn(String path) throws IOException;

  /**
   * Opens a file for reading. The reader sees the length that the file had at that moment.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  ReadableFile open(String path) throws IOException;

  /**
   * Returns the direct entries of {@code directory}, ordered by name; empty if it does not exist.
   */
  List<FileInfo> list(String directory) throws IOException;

  /** Tells whether there is a file or a directory at {@code path}. */
  boolean exists(String path) throws IOException;

  /** Creates a directory and those above it; nothing happens if it is there. */
  void createDirectories(String path) throws IOException;

  /**
   * Creates a directory in a directory that exists. Does nothing if it is there. Never creates its
   * parents.
   *
   * @throws java.nio.file.NoSuchFileException if the directory above it does not exist
   */
  void createDirectoryIn(String path) throws IOException;

  /**
   * Creates a directory like {@link #createDirectoryIn}, for files that need not survive a power
   * cut. A power cut may remove it with its content.
   *
   * @throws java.nio.file.NoSuchFileException if the directory above it does not exist
   */
  default void createScratch(String path) throws IOException {
    createDirectoryIn(path);
  }

  /**
   * Moves a file or directory atomically and creates the directories above {@code to}.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is something at {@code to}
   * @throws java.nio.file.NoSuchFileException if there is nothing at {@code from}
   */
  void rename(String from, String to) throws IOException;

  /**
   * Moves a file or directory into a directory that exists, atomically. Never creates directories.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is something at {@code to}
   * @throws java.nio.file.NoSuchFileException if there is nothing at {@code from}, or the directory
   *     of {@code to} does not exist
   */
  void moveIn(String from, String to) throws IOException;

  /** Moves a file over another one, which it replaces atomically if it exists. */
  void replace(String from, String to) throws IOException;

  /** Deletes a file, or a directory with its contents. Returns false if there was nothing. */
  boolean delete(String path) throws IOException;

  /**
   * Deletes like {@link #delete}, but a power cut may bring back the deleted files.
   *
   * @return false if there was nothing
   */
  default boolean discard(String path) throws IOException {
    return delete(path);
  }

  /**
   * Makes all changes of names in a directory durable, also those of a process that ended before it
   * could sync them, or of an operation that failed half-way. Does nothing if there is no such
   * directory, or where names are durable as soon as they are visible.
   */
  void syncDirectory(String path) throws IOException;

  /**
   * Makes the present bytes of a file durable, whoever wrote them. Does nothing where bytes are
   * durable as soon as a reader sees them.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  default void syncContent(String path) throws IOException {}

  /**
   * Returns a file's path as users of the file system write it, for example {@code
   * file:/var/lib/cairn/data/f}; the path itself if the storage is no file system.
   */
  default String url(String path) {
    return path;
  }

  /**
   * Returns how many machines hold each flushed byte of a new file; 0 if the bytes are in the
   * memory of this machine alone.
   */
  default int replication() {
    return 0;
  }

  /**
   * Returns where the blocks of a file lie, in order; empty if the storage is not distributed. May
   * wait for another machine.
   */
  default List<BlockLocation> blockLocations(String path) throws IOException {
    return List.of();
  }

  /** Returns the space on the disk; empty if the storage cannot tell. May block on I/O. */
  default Optional<StorageSpace> space() throws IOException {
    return Optional.empty();
  }

  /** Returns the bytes read so far; empty if the storage is not distributed. */
  default Optional<BytesRead> bytesRead() {
    return Optional.empty();
  }

  /** Reads a whole, small file. */
  default byte[] readAll(String path) throws IOException {
    try (ReadableFile file = open(path)) {
      byte[] bytes = new byte[Math.toIntExact(file.length())];
      file.readFully(0, bytes, 0, bytes.length);
      return bytes;
    }
  }

  /**
   * Writes a whole, small file so that {@code path} always holds either its old contents or all of
   * {@code bytes}: writes another file, syncs it, then moves it to {@code path}.
   */
  default void writeAll(String path, byte[] bytes) throws IOException {
    String beside = path + ".new";
    delete(beside);
    try (AppendFile file = create(beside)) {
      file.write(bytes, 0, bytes.length);
      file.sync();
    }
    replace(beside, path);
  }

  /**
   * Creates small files, and the directories above them. Once this returns, all files are durable.
   * If it fails, some of the files may exist.
   *
   * <p>Storages on which names need a sync of their own sync each directory once for all its files.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is a file of one of the names
   */
  default void createAll(List<SmallFile> files) throws IOException {
    for (SmallFile file : files) {
      try (AppendFile output = create(file.path())) {
        output.write(file.content(), 0, file.content().length);
        output.sync();
      }
    }
  }

  /**
   * A small file that is to be written.
   *
   * @param path the whole path from the storage's root
   */
  record SmallFile(String path, byte[] content) {}

  /** Joins a directory and a name; either may be the empty string. */
  static String join(String directory, String name) {
    return directory.isEmpty() ? name : name.isEmpty() ? directory : directory + "/" + name;
  }

  /** Returns the last part of {@code path}. */
  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * One entry of a directory.
   *
   * @param path the whole path from the storage's root
   * @param length the file's length in bytes, 0 for a directory
   * @param modifiedMillis when it was last changed, milliseconds since 1970
   */
  record FileInfo(String path, boolean directory, long length, long modifiedMillis) {
    /** Returns the last part of the path. */
    public String name() {
      return Storage.name(path);
    }
  }

  /**
   * Names the machines that hold a block of a file. Immutable.
   *
   * @param length the bytes of the block
   * @param hosts the machines that hold a copy of it, each by its name and by its address
   */
  record BlockLocation(long length, Set<String> hosts) {
    /** Copies {@code hosts}. */
    public BlockLocation {
      hosts = Set.copyOf(hosts);
    }
  }

  /**
   * The bytes read from a distributed storage, by origin.
   *
   * @param local the bytes read from replicas on this machine
   * @param shortCircuit the part of {@code local} that was read directly from the disk, without the
   *     storage's server
   * @param remote the bytes read from other machines
   */
  record BytesRead(long local, long shortCircuit, long remote) {
    /** No bytes. */
    public static final BytesRead NONE = new BytesRead(0, 0, 0);

    /** Returns the sum of both. */
    public BytesRead plus(BytesRead other) {
      return new BytesRead(
          local + other.local, shortCircuit + other.shortCircuit, remote + other.remote);
    }
  }

  /**
   * The space on the disk of a storage.
   *
   * @param usableBytes the bytes that can still be written
   * @param totalBytes the size of the disk, used and free
   */
  record StorageSpace(long usableBytes, long totalBytes) {}
}
