package dev.cairn.shell.language;

/** A statement does not end where the script does: more lines may complete it. */
public final class IncompleteException extends SyntaxException {
  IncompleteException(Position position, String message) {
    super(position, message);
  }
}
