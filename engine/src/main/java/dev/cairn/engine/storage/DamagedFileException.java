package dev.cairn.engine.storage;

import java.io.IOException;

/**
 * A file does not hold what was written to it, or is missing though something needs it. Another
 * attempt ends the same way until somebody brings the file back. The message names the file, the
 * place in it, what was expected and what was found.
 */
public class DamagedFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final long offset;
  private final String what;

  /**
   * Creates the exception.
   *
   * @param path the file, in its storage
   * @param offset where in the file the damage is, bytes from its start
   * @param what what was expected and what was found
   */
  public DamagedFileException(String path, long offset, String what) {
    this("The file " + path + " is damaged at byte " + offset + ": " + what, path, offset, what);
  }

  /** Creates the exception with a message of its own. */
  protected DamagedFileException(String message, String path, long offset, String what) {
    super(message);
    this.path = path;
    this.offset = offset;
    this.what = what;
  }

  /** Returns the exception for a file that is not there. */
  public static DamagedFileException missing(String path, String what) {
    return new DamagedFileException("The file " + path + " is missing: " + what, path, 0, what);
  }

  /** Returns the file's path in its storage. */
  public final String path() {
    return path;
  }

  /** Returns where in the file the damage is, bytes from its start. */
  public final long offset() {
    return offset;
  }

  /** Returns what was expected and what was found, without the place. */
  public final String what() {
    return what;
  }
}
