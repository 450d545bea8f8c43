package dev.cairn.server.regionserver.membership;

import java.io.IOException;

/** The master has given this server up, and opens its regions elsewhere. */
public final class DeclaredDeadException extends IOException {
  /** Creates the exception with what the master said. */
  public DeclaredDeadException(String message) {
    super(message);
  }
}
