package dev.cairn.engine.storage;

import java.io.Closeable;
import java.io.IOException;

/**
 * A file that is being written, front to back. One thread at a time. After a failed write or sync
 * the file is in an unknown state: every later call except {@link #close} fails, because a failed
 * sync may have dropped its data, and a second one that succeeds proves nothing.
 */
public interface AppendFile extends Closeable {
  /** Returns the file's path. */
  String path();

  /** Returns the number of bytes written so far. */
  long position();

  /**
   * Appends bytes. They may stay in a buffer of this process until {@link #flush}, {@link #sync} or
   * {@link #close}.
   */
  void write(byte[] bytes, int offset, int length) throws IOException;

  /** Hands everything written to the operating system: it survives the process, not a power cut. */
  void flush() throws IOException;

  /** Returns once everything written is on the device, with the file's length and name. */
  void sync() throws IOException;

  /**
   * Returns how many machines hold the bytes of the last flush or sync. More machines may hold
   * those of a new file. {@link Integer#MAX_VALUE} if the number is unknown, or if the storage is
   * not distributed.
   */
  default int copies() {
    return Integer.MAX_VALUE;
  }

  /** Flushes, unless the file has failed, and closes. Closing twice does nothing. */
  @Override
  void close() throws IOException;
}
