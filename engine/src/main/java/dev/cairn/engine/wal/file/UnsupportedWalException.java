package dev.cairn.engine.wal.file;

import java.io.IOException;

/**
 * Reports that an undamaged log file uses an unsupported feature. The message names the feature.
 */
public final class UnsupportedWalException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public UnsupportedWalException(String message) {
    super(message);
  }
}
