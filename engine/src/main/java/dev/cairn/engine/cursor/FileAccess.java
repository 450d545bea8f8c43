package dev.cairn.engine.cursor;

import java.io.IOException;

/** Decides whether a read may load a block from a file. */
@FunctionalInterface
public interface FileAccess {
  /** Allows each load. The caller keeps the files open. */
  FileAccess ALWAYS = () -> {};

  /**
   * Called before a block is read from a file. After it returns, the file stays open until the read
   * ends.
   *
   * @throws NotInMemoryException if the read must not load the block
   */
  void beforeFile() throws NotInMemoryException;

  /**
   * Ends a read that must not touch files, at the first block that is not in the cache. It is no
   * error and never reaches a caller of the engine, so it carries no stack.
   */
  final class NotInMemoryException extends IOException {
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
}
