package dev.cairn.engine.mob;

import java.io.IOException;

/** A cell's value should lie in a MOB file, which is missing or does not have it. */
public final class MissingValueException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates the error; {@code message} names the file. */
  public MissingValueException(String message) {
    super(message);
  }
}
