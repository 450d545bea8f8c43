package dev.cairn.launcher.output;

/** Thrown if a command cannot do its work; the message is one line for the user. */
public final class LauncherException extends RuntimeException {
  /** Creates the exception. */
  public LauncherException(String message) {
    super(message);
  }

  /** Creates the exception with what led to it. */
  public LauncherException(String message, Throwable cause) {
    super(message, cause);
  }
}
