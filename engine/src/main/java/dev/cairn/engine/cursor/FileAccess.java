package dev.cairn.engine.cursor;

/** Decides whether a read may go on where it needs a block that is not in memory. */
@FunctionalInterface
public interface FileAccess {
  /** Lets the read go on. The caller keeps the files open. */
  FileAccess ALWAYS = () -> {};

  /**
   * Comes before a block is read from a file. On return the file is open and stays so until the
   * read ends.
   *
   * @throws NotInMemoryException if the read must not go on
   */
  void beforeFile() throws NotInMemoryException;
}
