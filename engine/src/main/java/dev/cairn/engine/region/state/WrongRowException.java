package dev.cairn.engine.region.state;

import java.io.IOException;

/** A request names a row that does not belong to the region. */
public final class WrongRowException extends IOException {
  /** Creates the exception with a sentence for the user. */
  public WrongRowException(String message) {
    super(message);
  }
}
