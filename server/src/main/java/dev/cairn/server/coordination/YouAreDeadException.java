package dev.cairn.server.coordination;

import java.io.IOException;

/**
 * The master has given the server that calls up, and its regions to others: it must stop at once.
 * The same in kind as HBase's exception of that name.
 */
public final class YouAreDeadException extends IOException {
  /** Creates the exception with a sentence for the log. */
  public YouAreDeadException(String message) {
    super(message);
  }
}
