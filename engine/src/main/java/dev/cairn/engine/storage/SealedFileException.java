package dev.cairn.engine.storage;

import java.io.IOException;

/**
 * Thrown to the writer of a file that another process has sealed and taken over. Bytes that were
 * not flushed or synced before the seal may or may not be in the file.
 */
public final class SealedFileException extends IOException {
  /** Creates the exception for the file at {@code path}. */
  public SealedFileException(String path) {
    super(path + " was sealed: another process has taken it over");
  }
}
