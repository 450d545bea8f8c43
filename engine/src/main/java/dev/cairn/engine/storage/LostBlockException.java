package dev.cairn.engine.storage;

import java.io.IOException;

/**
 * Reports that no machine that is up has a copy of a block of a file. Retries fail until such a
 * machine is back. The message names the file and the block.
 */
public final class LostBlockException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;

  /**
   * Creates the exception.
   *
   * @param path the file, in its storage
   * @param position a position in the block, bytes from the start of the file
   * @param reason names the block
   */
  public LostBlockException(String path, long position, String reason, Throwable cause) {
    super("The file " + path + " has lost its block at byte " + position + ": " + reason, cause);
    this.path = path;
  }

  /** Returns the file's path in its storage. */
  public String path() {
    return path;
  }
}
