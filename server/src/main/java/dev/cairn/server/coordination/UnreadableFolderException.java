package dev.cairn.server.coordination;

import java.io.IOException;

/** Reports that the files of the data directory cannot be read. */
final class UnreadableFolderException extends IOException {
  private static final long serialVersionUID = 1L;

  UnreadableFolderException(Exception cause) {
    super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
  }
}
