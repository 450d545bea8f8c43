package dev.cairn.engine.storage;

import java.io.IOException;

/**
 * Reports that a file is damaged, or that a required file is missing. Retries fail until the file
 * is restored. The message names the file, the offset, and the expected and found content.
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
   * @param offset the offset of the damage, bytes from the start of the file
   * @param what the expected and the found content
   */
  public DamagedFileException(String path, long offset, String what) {
    this("The file " + path + " is damaged at byte " + offset + ": " + what, path, offset, what);
  }

  /** Creates the exception with another message. */
  protected DamagedFileException(String message, String path, long offset, String what) {
    super(message);
    this.path = path;
    this.offset = offset;
    this.what = what;
  }

  /** Returns an exception for a missing file. */
  public static DamagedFileException missing(String path, String what) {
    return new DamagedFileException("The file " + path + " is missing: " + what, path, 0, what);
  }

  /** Returns the file's path in its storage. */
  public final String path() {
    return path;
  }

  /** Returns the offset of the damage, bytes from the start of the file. */
  public final long offset() {
    return offset;
  }

  /** Returns the expected and the found content, without path and offset. */
  public final String what() {
    return what;
  }
}
