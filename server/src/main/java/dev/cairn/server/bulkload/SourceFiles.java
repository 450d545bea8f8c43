package dev.cairn.server.bulkload;

import java.io.IOException;

/**
 * Moves users' files into the root directory and back. Paths are URLs, or absolute paths in the
 * file system of the root directory. Thread-safe; may block on I/O.
 */
public interface SourceFiles {
  /** The way in which a file was brought to its target. */
  enum Transfer {
    MOVED,
    COPIED
  }

  /** Selects whether the source may be moved. */
  enum Mode {
    /** It may be moved, which is cheap within one file system. */
    MOVE,
    /** It stays. */
    COPY
  }

  /**
   * Brings a file into the root directory. Moves it if that is possible and allowed, or else copies
   * it. If the power fails after this has returned, the target exists in full or not at all.
   *
   * @param target its path in the root directory; missing parent directories are created
   * @throws java.nio.file.NoSuchFileException if there is no source
   */
  Transfer take(String source, String target, Mode mode) throws IOException;

  /** Moves a file back that {@link #take} has moved. */
  void giveBack(String target, String source) throws IOException;

  /** Deletes a file that {@link #take} has copied. */
  void delete(String target) throws IOException;
}
