package dev.cairn.engine.storage;

import dev.cairn.engine.storage.MemoryTree.Directory;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Files in memory, for servers inside tests. Simulates crashes.
 *
 * <p>{@link #afterKill} and {@link #afterPowerCut} return a second storage with the state that
 * would have survived at that moment. The first one continues, so that threads which still run on
 * it cannot touch the second, as with a machine that is gone. Both share the bytes.
 *
 * <p>A power cut loses all unsynced state: bytes after the last {@link AppendFile#sync}, the name
 * of a file that never was synced or moved, and changes made through {@link #unsynced}. With a
 * random generator it keeps any part of that, see {@link UnsyncedBytes}; equal seeds keep equal
 * parts.
 */
public final class MemoryStorage implements Storage {
  private final Clock clock;
  private final MemoryTree tree; // guarded by this object's monitor

  /** Creates an empty storage that takes the times of its files from {@code clock}. */
  public MemoryStorage(Clock clock) {
    this(clock, new MemoryTree());
  }

  private MemoryStorage(Clock clock, MemoryTree tree) {
    this.clock = clock;
    this.tree = tree;
  }

  /**
   * Returns the state that survives if the process is killed now: everything that was flushed,
   * synced or closed; bytes that were only written are lost. A later power cut loses the same as
   * without the kill.
   */
  public synchronized MemoryStorage afterKill() {
    return new MemoryStorage(clock, tree.afterKill(MemoryFile::afterKill));
  }

  /**
   * As {@link #afterKill()}; by chance a part of the bytes that were only written survives as well.
   */
  public synchronized MemoryStorage afterKill(RandomGenerator random) {
    return new MemoryStorage(clock, tree.afterKill(file -> file.afterKill(random)));
  }

  /** Returns the state that survives a power cut now in the worst case: only the synced state. */
  public synchronized MemoryStorage afterPowerCut() {
    return new MemoryStorage(clock, tree.afterPowerCut(node -> false, MemoryFile::afterPowerCut));
  }

  /**
   * Returns a state that may survive a power cut now: the synced state, and any part of the
   * unsynced names, moves, deletions and bytes.
   */
  public synchronized MemoryStorage afterPowerCut(RandomGenerator random) {
    return new MemoryStorage(
        clock,
        tree.afterPowerCut(node -> random.nextBoolean(), file -> file.afterPowerCut(random)));
  }

  /**
   * Returns a view of the same files on which a rename, replacement, deletion or new directory is
   * visible at once but not durable: it becomes durable together with the next durable change in
   * the same directory. This is the state after the file system did the operation and could not
   * bring it to the device.
   */
  public Storage unsynced() {
    return new Unsynced();
  }

  @Override
  public AppendFile create(String path) throws IOException {
    StoragePaths.checkBelowRoot(path);
    synchronized (this) {
      long now = clock.currentTimeMillis();
      return create(path, tree.makeDirectory(MemoryTree.parent(path), now, true), now, false);
    }
  }

  @Override
  public synchronized AppendFile createIn(String path) throws IOException {
    return create(path, parent(path), clock.currentTimeMillis(), false);
  }

  @Override
  public synchronized AppendFile createFenced(String path) throws IOException {
    return create(path, parent(path), clock.currentTimeMillis(), true);
  }

  /** Returns the directory in which to create a file or directory. */
  private Directory parent(String path) throws IOException {
    StoragePaths.checkBelowRoot(path);
    if (tree.find(MemoryTree.parent(path)).orElse(null) instanceof Directory parent) {
      return parent;
    }
    throw new NoSuchFileException(path, null, "its directory does not exist");
  }

  private AppendFile create(String path, Directory parent, long nowMillis, boolean fenced)
      throws IOException {
    MemoryFile file = new MemoryFile(nowMillis);
    String name = Storage.name(path);
    if (parent.entries().containsKey(name)) {
      throw new FileAlreadyExistsException(path);
    }
    tree.add(parent, name, file);
    return new Appender(path, file, fenced);
  }

  @Override
  public synchronized long seal(String path) throws IOException {
    MemoryFile file = findFile(path);
    long length = file.seal();
    tree.syncName(file);
    return length;
  }

  @Override
  public synchronized ReadableFile open(String path) throws IOException {
    return new Reader(path, findFile(path));
  }

  private MemoryFile findFile(String path) throws IOException {
    StoragePaths.checkBelowRoot(path);
    MemoryTree.Node node = tree.find(path).orElseThrow(() -> new NoSuchFileException(path));
    if (node instanceof MemoryFile file) {
      return file;
    }
    throw new IOException(path + " is a directory, where a file was expected");
  }

  @Override
  public synchronized List<FileInfo> list(String directory) throws IOException {
    StoragePaths.check(directory);
    List<FileInfo> children = new ArrayList<>();
    MemoryTree.Node found = tree.find(directory).orElse(null);
    if (found instanceof MemoryFile) {
      throw new NotDirectoryException(directory + " is a file, where a directory was expected");
    }
    if (found instanceof Directory known) {
      known
          .entries()
          .forEach(
              (name, node) ->
                  children.add(
                      new FileInfo(
                          Storage.join(directory, name),
                          node instanceof Directory,
                          node instanceof MemoryFile file ? file.length() : 0,
                          node.modifiedMillis())));
    }
    return children;
  }

  @Override
  public synchronized boolean exists(String path) throws IOException {
    StoragePaths.check(path);
    return tree.find(path).isPresent();
  }

  @Override
  public synchronized void syncDirectory(String path) throws IOException {
    StoragePaths.check(path);
    tree.syncDirectory(path);
  }

  @Override
  public synchronized void syncContent(String path) throws IOException {
    MemoryFile file = findFile(path);
    file.syncFlushed();
    tree.syncName(file);
  }

  @Override
  public void createDirectories(String path) throws IOException {
    createDirectories(path, true);
  }

  @Override
  public void createDirectoryIn(String path) throws IOException {
    createDirectoryIn(path, true);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    rename(from, to, true);
  }

  @Override
  public void moveIn(String from, String to) throws IOException {
    moveIn(from, to, true);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    replace(from, to, true);
  }

  @Override
  public boolean delete(String path) throws IOException {
    return delete(path, true);
  }

  @Override
  public void createScratch(String path) throws IOException {
    createDirectoryIn(path, false);
  }

  @Override
  public boolean discard(String path) throws IOException {
    return delete(path, false);
  }

  /** Nothing to release: the files go with this object. */
  @Override
  public void close() {}

  private synchronized void createDirectories(String path, boolean sync) throws IOException {
    StoragePaths.check(path);
    tree.makeDirectory(path, clock.currentTimeMillis(), sync);
  }

  private synchronized void createDirectoryIn(String path, boolean sync) throws IOException {
    parent(path); // must exist
    createDirectories(path, sync);
  }

  private synchronized void rename(String from, String to, boolean sync) throws IOException {
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
    move(from, to, sync);
  }

  private synchronized void moveIn(String from, String to, boolean sync) throws IOException {
    if (!(tree.find(MemoryTree.parent(to)).orElse(null) instanceof Directory)) {
      throw new NoSuchFileException(from, to, "the target's directory does not exist");
    }
    rename(from, to, sync);
  }

  private synchronized void replace(String from, String to, boolean sync) throws IOException {
    StoragePaths.checkBelowRoot(from);
    StoragePaths.checkBelowRoot(to);
    MemoryTree.Node moving = tree.find(from).orElseThrow(() -> new NoSuchFileException(from));
    if (tree.find(to).orElse(null) instanceof Directory) {
      throw new IOException(to + " is a directory and cannot be replaced by the file " + from);
    }
    if (moving instanceof Directory) {
      throw new IOException(from + " is a directory, where a file was expected");
    }
    if (!from.equals(to)) {
      move(from, to, sync);
    }
  }

  private void move(String from, String to, boolean sync) throws IOException {
    tree.makeDirectory(MemoryTree.parent(to), clock.currentTimeMillis(), true);
    tree.move(from, to);
    if (sync) {
      tree.syncDirectory(MemoryTree.parent(to));
      tree.syncDirectory(MemoryTree.parent(from));
    }
  }

  private synchronized boolean delete(String path, boolean sync) throws IOException {
    StoragePaths.checkBelowRoot(path);
    if (!exists(path)) {
      return false;
    }
    tree.remove(path);
    if (sync) {
      tree.syncDirectory(MemoryTree.parent(path));
    }
    return true;
  }

  private synchronized void syncName(MemoryFile file) {
    tree.syncName(file);
  }

  /** The view whose changes of names are not synced. */
  private final class Unsynced extends ForwardingStorage {
    Unsynced() {
      super(MemoryStorage.this);
    }

    @Override
    public void createDirectories(String path) throws IOException {
      MemoryStorage.this.createDirectories(path, false);
    }

    @Override
    public void createDirectoryIn(String path) throws IOException {
      MemoryStorage.this.createDirectoryIn(path, false);
    }

    @Override
    public void rename(String from, String to) throws IOException {
      MemoryStorage.this.rename(from, to, false);
    }

    @Override
    public void moveIn(String from, String to) throws IOException {
      MemoryStorage.this.moveIn(from, to, false);
    }

    @Override
    public void replace(String from, String to) throws IOException {
      MemoryStorage.this.replace(from, to, false);
    }

    @Override
    public boolean delete(String path) throws IOException {
      return MemoryStorage.this.delete(path, false);
    }

    @Override
    public boolean discard(String path) throws IOException {
      return MemoryStorage.this.delete(path, false);
    }

    @Override
    public void close() {}
  }

  /** The writing end of a file. */
  private final class Appender implements AppendFile {
    private final String path;
    private final MemoryFile file;
    private final boolean fenced;
    private boolean closed;

    Appender(String path, MemoryFile file, boolean fenced) {
      this.path = path;
      this.file = file;
      this.fenced = fenced;
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
      flushUnlessSealed();
    }

    @Override
    public void sync() throws IOException {
      checkOpen();
      boolean first;
      synchronized (file) {
        checkNotSealed();
        first = file.sync(clock.currentTimeMillis());
      }
      if (first) {
        syncName(file);
      }
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        flushUnlessSealed();
        file.trim();
      }
    }

    private void flushUnlessSealed() throws IOException {
      synchronized (file) {
        checkNotSealed();
        file.flush(clock.currentTimeMillis());
      }
    }

    private void checkNotSealed() throws IOException {
      if (fenced && file.isSealed()) {
        throw new SealedFileException(path);
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
