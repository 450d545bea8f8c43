package dev.cairn.engine.storage;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;

/** A file open for reading at any position. Thread-safe. */
public interface ReadableFile extends Closeable {
  /** Returns the file's path. */
  String path();

  /** Returns the file's length in bytes when it was opened. */
  long length();

  /**
   * Reads up to {@code length} bytes at {@code position}.
   *
   * @return the number of bytes read, at least 1, or -1 at or after the end
   * @throws LostBlockException if all copies of the block are lost or on machines that are down
   */
  int read(long position, byte[] target, int offset, int length) throws IOException;

  /**
   * Checks that no block of the file is known to be lost. Reads no more than it must.
   *
   * @throws LostBlockException if a read of some part of the file would fail
   */
  default void requireBlocks() throws IOException {}

  /**
   * Reads exactly {@code length} bytes at {@code position}.
   *
   * @throws EOFException naming path and position, if the file ends before
   */
  default void readFully(long position, byte[] target, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int n = read(position + done, target, offset + done, length - done);
      if (n < 0) {
        throw new EOFException(
            path() + " ends at " + length() + "; wanted " + length + " bytes at " + position);
      }
      done += n;
    }
  }
}
