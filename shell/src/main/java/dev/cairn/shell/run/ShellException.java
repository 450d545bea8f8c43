package dev.cairn.shell.run;

/** A command or statement cannot be done; the message is one line that tells a user why. */
public class ShellException extends RuntimeException {
  /** Creates an exception with one line for users. */
  public ShellException(String message) {
    super(message);
  }

  /** Creates an exception with one line for users, and what led to it. */
  public ShellException(String message, Throwable cause) {
    super(message, cause);
  }
}
