package dev.cairn.shell.language;

/** A script has something that the language does not have; the message is one line for users. */
public class SyntaxException extends RuntimeException {
  private final Position position;

  SyntaxException(Position position, String message) {
    super(message + " (" + position + ")");
    this.position = position;
  }

  /** Returns the place of what is not understood. */
  public Position position() {
    return position;
  }
}
