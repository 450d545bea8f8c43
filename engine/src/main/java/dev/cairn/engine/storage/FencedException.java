package dev.cairn.engine.storage;

import java.io.IOException;

/** Thrown if another owner has taken over. The caller must not change anything any more. */
public final class FencedException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates it with a message that names the place and the later owner. */
  public FencedException(String message) {
    super(message);
  }
}
