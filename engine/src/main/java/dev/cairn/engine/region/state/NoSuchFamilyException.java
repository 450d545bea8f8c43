package dev.cairn.engine.region.state;

import java.io.IOException;

/** A mutation or a read names a family that the table does not have. */
public final class NoSuchFamilyException extends IOException {
  /** Creates the exception with a sentence for the user. */
  public NoSuchFamilyException(String message) {
    super(message);
  }
}
