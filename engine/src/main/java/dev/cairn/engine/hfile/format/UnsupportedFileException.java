package dev.cairn.engine.hfile.format;

import java.io.IOException;

/** A store file is whole, but uses a feature that is not supported here. The message names it. */
public final class UnsupportedFileException extends IOException {
  /** Creates the exception. */
  public UnsupportedFileException(String path, String reason) {
    super("Store file " + path + " cannot be read: " + reason);
  }
}
