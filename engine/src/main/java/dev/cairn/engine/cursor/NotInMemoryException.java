package dev.cairn.engine.cursor;

import java.io.IOException;

/**
 * Ends a read that must not touch files, at the first block that is not in the cache. It is no
 * error and never reaches a caller of the engine, so it carries no stack.
 */
public final class NotInMemoryException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates an exception without a stack. */
  public NotInMemoryException() {
    super("The requested data is in a file");
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
