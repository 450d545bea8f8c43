package dev.cairn.engine.wal;

import java.io.IOException;

/**
 * Receives the events of a log. Called on the log's own threads, and on those that wait for it: it
 * must return quickly, must not throw, and must not wait for the log.
 */
public interface WalListener {
  /** Does nothing. */
  WalListener NONE = new WalListener() {};

  /**
   * A group of entries became durable.
   *
   * @param entries the number of entries
   * @param bytes their size in the file, bytes
   * @param nanos the duration of writing and syncing, nanoseconds
   */
  default void groupCommitted(int entries, long bytes, long nanos) {}

  /**
   * The file at {@code path} is about to be ended, and the one at {@code next} to be begun. Nothing
   * is written while this call runs.
   *
   * @throws IOException refuses it: the log continues in its present file, and tries again later
   */
  default void rolling(String path, String next) throws IOException {}

  /**
   * A file was ended and another one begun.
   *
   * @param path the ended file
   * @param next the file that the log continues in
   * @param bytes the length of the ended file
   */
  default void rolled(String path, String next, long bytes) {}

  /** A file is no longer needed and is now at {@code path}. */
  default void archived(String path) {}

  /** The file at {@code path} failed; it stays as it is, and the log continues in another one. */
  default void fileFailed(String path, Throwable cause) {}

  /** The first file in {@code directory} could not be begun; the log tries again. Called once. */
  default void beginFailed(String directory, Throwable cause) {}

  /** A new file could not be begun; the log continues in its present one, and tries again later. */
  default void rollFailed(String path, Throwable cause) {}

  /** There is no room: writes are refused until {@link #resumed}. */
  default void stalled(WalStalledException cause) {}

  /** There is room again, and the log continues with the appended entries. */
  default void resumed() {}

  /** The log failed for good: its owner must stop taking writes. Called once. */
  default void failed(WalFailedException failure) {}
}
