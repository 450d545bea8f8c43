package dev.cairn.tools.bulk;

import java.io.IOException;

/** A job cannot go on; the message is one line that names the cause. */
public final class BulkException extends IOException {
  BulkException(String message) {
    super(message);
  }

  BulkException(String message, Throwable cause) {
    super(message, cause);
  }
}
