package dev.cairn.engine.hfile.format;

import java.io.IOException;

/** A store file is whole, but uses something that cannot be read here. The message says what. */
public final class UnsupportedFileException extends IOException {
  /** Creates the exception. */
  public UnsupportedFileException(String path, String reason) {
    super("Store file " + path + " cannot be read: " + reason);
  }
}
