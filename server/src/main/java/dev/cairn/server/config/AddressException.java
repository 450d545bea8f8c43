package dev.cairn.server.config;

/**
 * A server cannot use its address: the port is taken, or the advertised name does not lead to this
 * machine. The settings may be wrong, but the cause may also pass, such as an unavailable name
 * service.
 */
public final class AddressException extends ConfigException {
  /** Creates the exception with its cause. */
  public AddressException(String message, Throwable cause) {
    super(message, cause);
  }
}
