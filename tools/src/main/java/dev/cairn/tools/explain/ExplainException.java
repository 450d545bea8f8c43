package dev.cairn.tools.explain;

/** A read cannot be explained; the message is one line for the user. */
public final class ExplainException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ExplainException(String message) {
    super(message);
  }

  ExplainException(String message, Throwable cause) {
    super(message, cause);
  }
}
