package dev.cairn.engine.region;

import java.io.IOException;

/** A mutation that can never succeed: malformed, too large, or not applicable to what is stored. */
public final class InvalidMutationException extends IOException {
  /** Creates the exception with a sentence for the user. */
  public InvalidMutationException(String message) {
    super(message);
  }
}
