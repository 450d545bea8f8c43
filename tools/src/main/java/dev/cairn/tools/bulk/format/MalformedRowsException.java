package dev.cairn.tools.bulk.format;

import java.io.IOException;

/** A file does not have the rows it should have, or a row does not fit a format. */
public final class MalformedRowsException extends IOException {
  MalformedRowsException(String message) {
    super(message);
  }

  MalformedRowsException(String message, Throwable cause) {
    super(message, cause);
  }
}
