package dev.cairn.engine.wal;

import java.io.IOException;

/**
 * A log file is damaged where it was known to be complete. What stands behind the damage cannot be
 * trusted to follow what stands before it, so nobody may go on as if the log had ended there.
 */
public final class CorruptWalException extends IOException {
  private final String path;
  private final long offset;
  private final String what;

  /** Creates the exception for what was found at {@code offset} of the file. */
  public CorruptWalException(String path, long offset, String expectedAndFound) {
    super("The log file " + path + " is damaged at offset " + offset + ": " + expectedAndFound);
    this.path = path;
    this.offset = offset;
    this.what = expectedAndFound;
  }

  /** Returns the file. */
  public String path() {
    return path;
  }

  /** Returns where in the file the damage is, in bytes. */
  public long offset() {
    return offset;
  }

  /** Returns what was expected and what was found, without the place. */
  public String what() {
    return what;
  }
}
