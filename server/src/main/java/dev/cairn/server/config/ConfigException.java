package dev.cairn.server.config;

/** The configuration cannot be used; the message is one line for the user. */
public sealed class ConfigException extends RuntimeException permits AddressException {
  /** Creates the exception. */
  public ConfigException(String message) {
    super(message);
  }

  /** Creates the exception with its cause. */
  public ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
