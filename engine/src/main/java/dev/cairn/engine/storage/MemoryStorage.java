package dev.cairn.engine.storage;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Files in memory: for servers inside tests, and to see what a crash leaves.
 *
 * <p>{@link #afterKill} and {@link #afterPowerCut} return a second storage that holds what would
 * have survived at that moment. The first one goes on, so that threads which still run on it cannot
 * touch the second: as with a machine that is gone. Both share the bytes.
 */
public final class MemoryStorage implements Storage {
  private final Clock clock;
  private final Directory root = new Directory(0); // the tree is guarded by this object's monitor

  /** Creates an empty storage that takes the times of its files from {@code clock}. */
  public MemoryStorage(Clock clock) {
    this.clock = clock;
  }

  /**
   * Returns what survives if the process is killed now: everything that was flushed, synced or
   * closed; what was only written is lost.
   */
  public synchronized MemoryStorage afterKill() {
    return copy(file -> Optional.of(file.afterKill()));
  }

  /** Returns what survives a power cut now in the worst case: only what was synced. */
  public synchronized MemoryStorage afterPowerCut() {
    return copy(
        file -> file.survivesPowerCut() ? Optional.of(file.afterPowerCut()) : Optional.empty());
  }

  /**
   * Returns what may survive a power cut now: what was synced, and a random part of the names and
   * the bytes that were not.
   */
  public synchronized MemoryStorage afterPowerCut(RandomGenerator random) {
    return copy(
        file ->
            file.survivesPowerCut() || random.nextBoolean()
                ? Optional.of(file.afterPowerCut(random))
                : Optional.empty());
  }

  private MemoryStorage copy(Function<MemoryFile, Optional<MemoryFile>> survivor) {
    MemoryStorage copy = new MemoryStorage(clock);
    copy(root, copy.root, survivor);
    return copy;
  }

  private static void copy(
      Directory from, Directory to, Function<MemoryFile, Optional<MemoryFile>> survivor) {
    from.files.forEach(
        (name, file) -> survivor.apply(file).ifPresent(kept -> to.files.put(name, kept)));
    from.directories.forEach(
        (name, directory) -> {
          Directory child = new Directory(directory.modifiedMillis);
          to.directories.put(name, child);
          copy(directory, child, survivor);
        });
  }

  @Override
  public AppendFile create(String path) throws IOException {
    StoragePaths.checkBelowRoot(path);
    MemoryFile file = new MemoryFile(clock.currentTimeMillis());
    synchronized (this) {
      Directory parent = makeDirectory(parent(path));
      if (parent.has(Storage.name(path))) {
        throw new FileAlreadyExistsException(path);
      }
      parent.files.put(Storage.name(path), file);
    }
    return new Appender(path, file, clock);
  }

  @Override
  public synchronized ReadableFile open(String path) throws IOException {
    StoragePaths.checkBelowRoot(path);
    Directory parent = directory(parent(path)).orElseThrow(() -> new NoSuchFileException(path));
    String name = Storage.name(path);
    if (parent.directories.containsKey(name)) {
      throw new IOException(path + " is a directory, where a file was expected");
    }
    MemoryFile file = parent.files.get(name);
    if (file == null) {
      throw new NoSuchFileException(path);
    }
    return new Reader(path, file);
  }

  @Override
  public synchronized List<FileInfo> list(String directory) throws IOException {
    StoragePaths.check(directory);
    Optional<Directory> found = directory(directory);
    if (found.isEmpty()) {
      if (exists(directory)) {
        throw new java.nio.file.NotDirectoryException(
            directory + " is a file, where a directory was expected");
      }
      return List.of();
    }
    TreeMap<String, FileInfo> children = new TreeMap<>();
    found
        .get()
        .files
        .forEach(
            (name, file) ->
                children.put(
                    name,
                    new FileInfo(
                        Storage.join(directory, name),
                        false,
                        file.length(),
                        file.modifiedMillis())));
    found
        .get()
        .directories
        .forEach(
            (name, child) ->
                children.put(
                    name,
                    new FileInfo(Storage.join(directory, name), true, 0, child.modifiedMillis)));
    return new ArrayList<>(children.values());
  }

  @Override
  public synchronized boolean exists(String path) throws IOException {
    StoragePaths.check(path);
    return path.isEmpty()
        || directory(parent(path)).map(parent -> parent.has(Storage.name(path))).orElse(false);
  }

  @Override
  public synchronized void createDirectories(String path) throws IOException {
    StoragePaths.check(path);
    makeDirectory(path);
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    StoragePaths.checkBelowRoot(from);
    StoragePaths.checkBelowRoot(to);
    if (!exists(from)) {
      throw new NoSuchFileException(from);
    }
    if (exists(to)) {
      throw new FileAlreadyExistsException(to);
    }
    if (to.startsWith(from + "/")) {
      throw new IOException("Cannot move " + from + " into itself, to " + to);
    }
    move(from, to);
  }

  @Override
  public synchronized void replace(String from, String to) throws IOException {
    StoragePaths.checkBelowRoot(from);
    StoragePaths.checkBelowRoot(to);
    if (!exists(from)) {
      throw new NoSuchFileException(from);
    }
    if (directory(to).isPresent()) {
      throw new IOException(to + " is a directory and cannot be replaced by the file " + from);
    }
    if (directory(from).isPresent()) {
      throw new IOException(from + " is a directory, where a file was expected");
    }
    move(from, to);
  }

  private void move(String from, String to) throws IOException {
    Directory target = makeDirectory(parent(to));
    Directory source = directory(parent(from)).orElseThrow();
    MemoryFile file = source.files.remove(Storage.name(from));
    if (file != null) {
      file.syncName();
      target.files.put(Storage.name(to), file);
    } else {
      target.directories.put(Storage.name(to), source.directories.remove(Storage.name(from)));
    }
  }

  @Override
  public synchronized boolean delete(String path) throws IOException {
    StoragePaths.checkBelowRoot(path);
    Optional<Directory> parent = directory(parent(path));
    if (parent.isEmpty()) {
      return false;
    }
    String name = Storage.name(path);
    return parent.get().files.remove(name) != null || parent.get().directories.remove(name) != null;
  }

  /** Nothing to release: the files go with this object. */
  @Override
  public void close() {}

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  private Optional<Directory> directory(String path) {
    Directory directory = root;
    if (path.isEmpty()) {
      return Optional.of(directory);
    }
    for (String name : path.split("/")) {
      directory = directory.directories.get(name);
      if (directory == null) {
        return Optional.empty();
      }
    }
    return Optional.of(directory);
  }

  private Directory makeDirectory(String path) throws IOException {
    Directory directory = root;
    if (path.isEmpty()) {
      return directory;
    }
    for (String name : path.split("/")) {
      if (directory.files.containsKey(name)) {
        throw new FileAlreadyExistsException(
            path + ": " + name + " is a file, where a directory is needed");
      }
      long now = clock.currentTimeMillis();
      directory = directory.directories.computeIfAbsent(name, any -> new Directory(now));
    }
    return directory;
  }

  /** One directory of the tree. */
  private static final class Directory {
    final Map<String, MemoryFile> files = new TreeMap<>();
    final Map<String, Directory> directories = new TreeMap<>();
    final long modifiedMillis;

    Directory(long modifiedMillis) {
      this.modifiedMillis = modifiedMillis;
    }

    boolean has(String name) {
      return files.containsKey(name) || directories.containsKey(name);
    }
  }

  /** The writing end of a file. */
  private static final class Appender implements AppendFile {
    private final String path;
    private final MemoryFile file;
    private final Clock clock;
    private boolean closed;

    Appender(String path, MemoryFile file, Clock clock) {
      this.path = path;
      this.file = file;
      this.clock = clock;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long position() {
      return file.written();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      checkOpen();
      file.append(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      checkOpen();
      file.flush(clock.currentTimeMillis());
    }

    @Override
    public void sync() throws IOException {
      checkOpen();
      file.sync(clock.currentTimeMillis());
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        file.flush(clock.currentTimeMillis());
        file.trim();
      }
    }

    private void checkOpen() throws IOException {
      if (closed) {
        throw new IOException(path + " is closed");
      }
    }
  }

  /** The reading end of a file. */
  private static final class Reader implements ReadableFile {
    private final String path;
    private final long length;
    private final byte[][] pieces;
    private volatile boolean closed;

    Reader(String path, MemoryFile file) {
      this.path = path;
      this.length = file.length();
      this.pieces = file.pieces();
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public int read(long position, byte[] target, int offset, int wanted) throws IOException {
      if (closed) {
        throw new IOException(path + " is closed");
      }
      if (position < 0) {
        throw new IOException("Cannot read " + path + " at position " + position);
      }
      return MemoryFile.read(pieces, length, position, target, offset, wanted);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
