package dev.cairn.server.regionserver.membership;

import java.io.IOException;

/** The master refuses this server because its host has a decommissioned server. */
public final class RejectedHostException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with the master's message. */
  public RejectedHostException(String message) {
    super(message);
  }
}
