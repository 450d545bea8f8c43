package dev.cairn.interop;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A storage over a directory, just enough to exchange files with Apache's classes. */
final class DirectoryStorage implements Storage {
  private final Path root;

  DirectoryStorage(Path root) {
    this.root = root;
  }

  @Override
  public AppendFile createIn(String path) throws IOException {
    return create(path);
  }

  @Override
  public AppendFile create(String path) throws IOException {
    OutputStream out = Files.newOutputStream(root.resolve(path), StandardOpenOption.CREATE_NEW);
    return new AppendFile() {
      private long position;

      @Override
      public String path() {
        return path;
      }

      @Override
      public long position() {
        return position;
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        position += length;
      }

      @Override
      public void flush() throws IOException {
        out.flush();
      }

      @Override
      public void sync() throws IOException {
        out.flush();
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  @Override
  public AppendFile createFenced(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long seal(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    FileChannel channel = FileChannel.open(root.resolve(path));
    long length = channel.size();
    return new ReadableFile() {
      @Override
      public String path() {
        return path;
      }

      @Override
      public long length() {
        return length;
      }

      @Override
      public int read(long position, byte[] target, int offset, int count) throws IOException {
        return channel.read(ByteBuffer.wrap(target, offset, count), position);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  @Override
  public List<FileInfo> list(String directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean exists(String path) {
    return Files.exists(root.resolve(path));
  }

  @Override
  public void createDirectories(String path) throws IOException {
    Files.createDirectories(root.resolve(path));
  }

  @Override
  public void createDirectoryIn(String path) throws IOException {
    if (!exists(path)) {
      Files.createDirectory(root.resolve(path));
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(root.resolve(from), root.resolve(to));
  }

  @Override
  public void moveIn(String from, String to) throws IOException {
    rename(from, to);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    Files.move(root.resolve(from), root.resolve(to), StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public boolean delete(String path) throws IOException {
    return Files.deleteIfExists(root.resolve(path));
  }

  @Override
  public void syncDirectory(String path) {
    // No power is cut here.
  }

  @Override
  public void close() {}
}
