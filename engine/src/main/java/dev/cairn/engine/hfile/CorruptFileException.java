package dev.cairn.engine.hfile;

import java.io.IOException;

/** A store file does not hold what it should at some place. The message says which and where. */
public final class CorruptFileException extends IOException {
  private final String path;
  private final long offset;
  private final String what;

  /** Creates the exception. */
  public CorruptFileException(String path, long offset, String expected, String found) {
    super(
        "Store file "
            + path
            + " is damaged at byte "
            + offset
            + ": expected "
            + expected
            + ", found "
            + found);
    this.path = path;
    this.offset = offset;
    this.what = "expected " + expected + ", found " + found;
  }

  /** Creates the exception for something that a decoder threw. */
  CorruptFileException(String path, long offset, String expected, Exception cause) {
    this(path, offset, expected, String.valueOf(cause.getMessage()));
    initCause(cause);
  }

  /** Returns the file's path in its storage. */
  public String path() {
    return path;
  }

  /** Returns where the block or the part that is damaged begins, bytes from the file's start. */
  public long offset() {
    return offset;
  }

  /** Returns what was expected and what was found, without the place. */
  public String what() {
    return what;
  }
}
