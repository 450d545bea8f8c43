package dev.cairn.server.coordination;

import java.io.IOException;

/** Thrown if ZooKeeper does not answer, or refuses a request. */
public final class CoordinationException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates it with a message that names the request. */
  public CoordinationException(String message, Throwable cause) {
    super(message, cause);
  }
}
