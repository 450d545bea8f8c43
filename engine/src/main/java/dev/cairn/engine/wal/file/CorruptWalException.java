package dev.cairn.engine.wal.file;

import dev.cairn.engine.storage.DamagedFileException;

/**
 * A log file is damaged where it was known to be complete. The entries after the damage may not
 * continue those before it, so no caller may treat the damage as the end of the log.
 */
public final class CorruptWalException extends DamagedFileException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception for damage at {@code offset} of the file. */
  public CorruptWalException(String path, long offset, String expectedAndFound) {
    super(
        "The log file " + path + " is damaged at offset " + offset + ": " + expectedAndFound,
        path,
        offset,
        expectedAndFound);
  }
}
