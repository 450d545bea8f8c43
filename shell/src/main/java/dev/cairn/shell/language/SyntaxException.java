package dev.cairn.shell.language;

/** A script has an error or an unsupported construct; the message is one line for users. */
public class SyntaxException extends RuntimeException {
  private final Position position;

  SyntaxException(Position position, String message) {
    super(message + " (" + position + ")");
    this.position = position;
  }

  /** Returns the position of the error. */
  public Position position() {
    return position;
  }
}
