package dev.cairn.engine.store;

import java.io.IOException;

/**
 * A file cannot be loaded into a store, now or later. The message names the file and the reason.
 */
public final class UnloadableFileException extends IOException {
  /** Creates the exception with the file's path and a phrase that describes the error. */
  public UnloadableFileException(String path, String problem) {
    super("Cannot load " + path + ": " + problem);
  }

  /** Creates the exception with the file's path and the error that describes the cause. */
  public UnloadableFileException(String path, IOException cause) {
    super("Cannot load " + path + ": " + cause.getMessage(), cause);
  }
}
