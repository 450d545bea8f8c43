package dev.cairn.engine.wal;

import java.io.IOException;

/** A log file is whole, but uses something that cannot be read here. The message says what. */
public final class UnsupportedWalException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public UnsupportedWalException(String message) {
    super(message);
  }
}
