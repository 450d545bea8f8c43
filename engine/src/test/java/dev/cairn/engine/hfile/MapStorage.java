package dev.cairn.engine.hfile;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Files in a map, just enough for the tests of store files; counts what was read. */
public final class MapStorage implements Storage {
  public final Map<String, byte[]> files = new TreeMap<>();
  public final BlockCache cache = new BlockCache(1 << 20, Runnable::run);
  public int reads;
  public int syncs;

  @Override
  public AppendFile createIn(String path) throws IOException {
    return create(path);
  }

  @Override
  public AppendFile create(String path) throws IOException {
    if (files.putIfAbsent(path, new byte[0]) != null) {
      throw new FileAlreadyExistsException(path);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    return new AppendFile() {
      @Override
      public String path() {
        return path;
      }

      @Override
      public long position() {
        return out.size();
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        out.write(bytes, offset, length);
      }

      @Override
      public void flush() {
        files.put(path, out.toByteArray());
      }

      @Override
      public void sync() {
        syncs++;
        flush();
      }

      @Override
      public void close() {
        flush();
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
    byte[] bytes = files.get(path);
    if (bytes == null) {
      throw new NoSuchFileException(path);
    }
    return new ReadableFile() {
      @Override
      public String path() {
        return path;
      }

      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public int read(long position, byte[] target, int offset, int length) {
        reads++;
        if (position >= bytes.length) {
          return -1;
        }
        int count = (int) Math.min(length, bytes.length - position);
        System.arraycopy(bytes, (int) position, target, offset, count);
        return count;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public boolean exists(String path) {
    return files.containsKey(path);
  }

  @Override
  public void syncDirectory(String path) {
    // No power is cut here.
  }

  @Override
  public boolean delete(String path) {
    return files.remove(path) != null;
  }

  @Override
  public List<FileInfo> list(String directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectories(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectoryIn(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void rename(String from, String to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void moveIn(String from, String to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void replace(String from, String to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
