package dev.cairn.bench.hfile;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.List;

/**
 * A storage whose files are handed to the operating system where they should be synced to the
 * device: Apache's writer does not sync, and the device is not what is measured.
 */
final class UnsyncedStorage implements Storage {
  private final Storage storage;

  UnsyncedStorage(Storage storage) {
    this.storage = storage;
  }

  @Override
  public AppendFile create(String path) throws IOException {
    return new UnsyncedFile(storage.create(path));
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    return storage.open(path);
  }

  @Override
  public List<FileInfo> list(String directory) throws IOException {
    return storage.list(directory);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return storage.exists(path);
  }

  @Override
  public void createDirectories(String path) throws IOException {
    storage.createDirectories(path);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    storage.rename(from, to);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    storage.replace(from, to);
  }

  @Override
  public boolean delete(String path) throws IOException {
    return storage.delete(path);
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }

  private record UnsyncedFile(AppendFile file) implements AppendFile {
    @Override
    public String path() {
      return file.path();
    }

    @Override
    public long position() {
      return file.position();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      file.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      file.flush();
    }

    @Override
    public void sync() throws IOException {
      file.flush();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
