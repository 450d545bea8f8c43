package dev.cairn.server.config;

/**
 * A server cannot use its address: the port is taken, or the advertised name does not lead to this
 * machine. The settings may be wrong, but the cause may also pass, such as a name service that is
 * away.
 */
public final class AddressException extends ConfigException {
  /** Creates the exception with what led to it. */
  public AddressException(String message, Throwable cause) {
    super(message, cause);
  }
}
