package dev.cairn.engine.cursor;

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
}
