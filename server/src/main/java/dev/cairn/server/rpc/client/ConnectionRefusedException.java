package dev.cairn.server.rpc.client;

import java.net.ConnectException;

/** Thrown if a host answers that no process listens on the port. */
public final class ConnectionRefusedException extends ConnectException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message that names the server. */
  public ConnectionRefusedException(String message) {
    super(message);
  }
}
