package dev.cairn.engine.wal.split;

import dev.cairn.engine.storage.AppendFile;
import java.util.Arrays;

/**
 * A file that buffers its bytes in memory for another thread to write. Cannot be synced. One
 * thread.
 */
final class QueuedFile implements AppendFile {
  private static final int SIZE_MIN = 4 << 10;

  private final String path;
  private byte[] bytes = new byte[0];
  private int size;
  private long taken;

  /**
   * Bytes to write.
   *
   * @param bytes begins with the bytes to write
   */
  record Piece(byte[] bytes, int length) {}

  QueuedFile(String path) {
    this.path = path;
  }

  /** Returns the number of buffered bytes. */
  int size() {
    return size;
  }

  /** Removes and returns the buffered bytes. */
  Piece take() {
    Piece piece = new Piece(bytes, size);
    taken += size;
    bytes = new byte[0];
    size = 0;
    return piece;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long position() {
    return taken + size;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    int needed = Math.addExact(size, length);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.max(needed, SIZE_MIN), (int) grown()));
    }
    System.arraycopy(source, offset, bytes, size, length);
    size = needed;
  }

  private long grown() {
    return Math.min(Integer.MAX_VALUE - 8L, bytes.length * 2L);
  }

  @Override
  public void flush() {
    throw new UnsupportedOperationException(path + " is in memory only");
  }

  @Override
  public void sync() {
    throw new UnsupportedOperationException(path + " is in memory only");
  }

  @Override
  public void close() {}
}
