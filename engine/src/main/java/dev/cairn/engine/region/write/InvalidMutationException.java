package dev.cairn.engine.region.write;

import java.io.IOException;

/**
 * A mutation that can never succeed: malformed, too large, or not applicable to the stored cells.
 */
public class InvalidMutationException extends IOException {
  /** Creates the exception with a sentence for the user. */
  public InvalidMutationException(String message) {
    super(message);
  }
}
