package dev.cairn.engine.hfile.format;

import dev.cairn.engine.storage.DamagedFileException;

/** A store file is damaged. The message names the place and the damage. */
public final class CorruptFileException extends DamagedFileException {
  private static final long serialVersionUID = 1L;

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
            + found,
        path,
        offset,
        "expected " + expected + ", found " + found);
  }

  /** Creates the exception for something that a decoder threw. */
  public CorruptFileException(String path, long offset, String expected, Exception cause) {
    this(path, offset, expected, String.valueOf(cause.getMessage()));
    initCause(cause);
  }
}
