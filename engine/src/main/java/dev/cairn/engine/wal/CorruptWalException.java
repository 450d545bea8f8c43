package dev.cairn.engine.wal;

import dev.cairn.engine.storage.DamagedFileException;

/**
 * A log file is damaged where it was known to be complete. What stands behind the damage cannot be
 * trusted to follow what stands before it, so nobody may go on as if the log had ended there.
 */
public final class CorruptWalException extends DamagedFileException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception for what was found at {@code offset} of the file. */
  public CorruptWalException(String path, long offset, String expectedAndFound) {
    super(
        "The log file " + path + " is damaged at offset " + offset + ": " + expectedAndFound,
        path,
        offset,
        expectedAndFound);
  }
}
