package dev.cairn.engine.wal;

import java.io.IOException;

/**
 * The log accepts nothing now, because there is no room on its disk, and continues by itself when
 * there is. Trying again later helps. An entry that was appended before may still be written then:
 * see {@link Wal#settled}.
 */
public final class WalStalledException extends IOException {
  /** Creates the exception for the log in {@code directory}. */
  public WalStalledException(String directory, Throwable cause) {
    super(
        "The write-ahead log in "
            + directory
            + " waits for room on the disk, and takes writes again when there is some: "
            + cause.getMessage(),
        cause);
  }

  /** Creates one with the stack of another thread that finds the same. */
  WalStalledException(WalStalledException first) {
    super(first.getMessage(), first.getCause());
  }
}
