package dev.cairn.engine.storage;

import dev.cairn.engine.storage.Storage.BlockLocation;
import dev.cairn.engine.storage.Storage.BytesRead;
import dev.cairn.engine.storage.Storage.StorageSpace;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A storage that forwards each operation to another one, after a callback. For storages that change
 * a small part of another one. As thread-safe as the other one.
 */
public abstract class ForwardingStorage implements Storage {
  private final Storage storage;

  /** Creates a view of {@code storage}, which is closed with it. */
  protected ForwardingStorage(Storage storage) {
    this.storage = storage;
  }

  /**
   * Called before each operation on the storage and its files, except closing the storage or a
   * reader; if it throws, the operation is not done.
   *
   * @param path the file or directory; of a rename or replacement the old one
   */
  protected void before(StorageOperation operation, String path) throws IOException {}

  @Override
  public AppendFile create(String path) throws IOException {
    before(StorageOperation.CREATE, path);
    return new Appender(storage.create(path));
  }

  @Override
  public AppendFile createFenced(String path) throws IOException {
    before(StorageOperation.CREATE, path);
    return new Appender(storage.createFenced(path));
  }

  @Override
  public long seal(String path) throws IOException {
    before(StorageOperation.SEAL, path);
    return storage.seal(path);
  }

  @Override
  public AppendFile createIn(String path) throws IOException {
    before(StorageOperation.CREATE, path);
    return new Appender(storage.createIn(path));
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    before(StorageOperation.OPEN, path);
    return new Reader(storage.open(path));
  }

  @Override
  public List<FileInfo> list(String directory) throws IOException {
    before(StorageOperation.LIST, directory);
    return storage.list(directory);
  }

  @Override
  public boolean exists(String path) throws IOException {
    before(StorageOperation.EXISTS, path);
    return storage.exists(path);
  }

  @Override
  public void syncDirectory(String path) throws IOException {
    before(StorageOperation.SYNC, path);
    storage.syncDirectory(path);
  }

  @Override
  public void syncContent(String path) throws IOException {
    before(StorageOperation.SYNC, path);
    storage.syncContent(path);
  }

  @Override
  public void createDirectories(String path) throws IOException {
    before(StorageOperation.CREATE_DIRECTORIES, path);
    storage.createDirectories(path);
  }

  @Override
  public void createDirectoryIn(String path) throws IOException {
    before(StorageOperation.CREATE_DIRECTORIES, path);
    storage.createDirectoryIn(path);
  }

  @Override
  public void createScratch(String path) throws IOException {
    before(StorageOperation.CREATE_DIRECTORIES, path);
    storage.createScratch(path);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    before(StorageOperation.RENAME, from);
    storage.rename(from, to);
  }

  @Override
  public void moveIn(String from, String to) throws IOException {
    before(StorageOperation.RENAME, from);
    storage.moveIn(from, to);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    before(StorageOperation.REPLACE, from);
    storage.replace(from, to);
  }

  @Override
  public boolean delete(String path) throws IOException {
    before(StorageOperation.DELETE, path);
    return storage.delete(path);
  }

  @Override
  public boolean discard(String path) throws IOException {
    before(StorageOperation.DELETE, path);
    return storage.discard(path);
  }

  @Override
  public String url(String path) {
    return storage.url(path);
  }

  @Override
  public int replication() {
    return storage.replication();
  }

  @Override
  public List<BlockLocation> blockLocations(String path) throws IOException {
    return storage.blockLocations(path);
  }

  @Override
  public Optional<BytesRead> bytesRead() {
    return storage.bytesRead();
  }

  @Override
  public Optional<StorageSpace> space() throws IOException {
    return storage.space();
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }

  private final class Appender extends ForwardingAppendFile {
    Appender(AppendFile file) {
      super(file);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      before(StorageOperation.WRITE, path());
      super.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      before(StorageOperation.FLUSH, path());
      super.flush();
    }

    @Override
    public void sync() throws IOException {
      before(StorageOperation.SYNC, path());
      super.sync();
    }

    @Override
    public void close() throws IOException {
      before(StorageOperation.CLOSE, path());
      super.close();
    }
  }

  private final class Reader extends ForwardingReadableFile {
    Reader(ReadableFile file) {
      super(file);
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) throws IOException {
      before(StorageOperation.READ, path());
      return super.read(position, target, offset, length);
    }
  }
}
