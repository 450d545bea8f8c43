package dev.cairn.engine.changes;

import java.io.IOException;

/** Logs with changes that a reader was to return are deleted. */
public final class ChangesLostException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public ChangesLostException(String message) {
    super(message);
  }
}
