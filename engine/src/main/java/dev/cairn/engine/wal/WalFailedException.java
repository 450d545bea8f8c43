package dev.cairn.engine.wal;

import java.io.IOException;

/**
 * The log could not be written; the change it was to hold is not acknowledged, and none after it
 * will be.
 */
public final class WalFailedException extends IOException {
  /** Creates the exception for the failure of the log file at {@code path}. */
  public WalFailedException(String path, Throwable cause) {
    super("The write-ahead log " + path + " failed: " + cause.getMessage(), cause);
  }
}
