package dev.cairn.shell.run;

/** A command or statement fails; the message is one line for users with the reason. */
public class ShellException extends RuntimeException {
  /** Creates an exception with one line for users. */
  public ShellException(String message) {
    super(message);
  }

  /** Creates an exception with one line for users, and its cause. */
  public ShellException(String message, Throwable cause) {
    super(message, cause);
  }
}
