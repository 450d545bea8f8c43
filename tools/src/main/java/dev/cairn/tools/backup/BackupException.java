package dev.cairn.tools.backup;

import java.io.IOException;

/** A backup cannot be made, read or restored; the message is one line for the user. */
public final class BackupException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public BackupException(String message) {
    super(message);
  }

  /** Creates the exception with its cause. */
  public BackupException(String message, Throwable cause) {
    super(message, cause);
  }
}
