package dev.cairn.shell.language;

/** The script ends within a statement; more lines may complete it. */
public final class IncompleteException extends SyntaxException {
  IncompleteException(Position position, String message) {
    super(position, message);
  }
}
